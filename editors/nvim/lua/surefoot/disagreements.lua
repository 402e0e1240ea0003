-- Calls of which another language server says otherwise, as a quickfix list: each with what both say.

local client_of = require('surefoot.client')
local place = require('surefoot.place')
local rows = require('surefoot.rows')

local M = {}

local function named(symbol)
  return rows.some(symbol) and rows.qualified(symbol) or 'outside this folder'
end

---@param found table[] the answer of surefoot/disagreements
---@param encoding string
---@return vim.quickfix.entry[]
function M.items(found, encoding)
  local texts = {}
  return vim.tbl_map(function(row)
    local item = place.item(row.site, encoding, texts)
    local tier, rule = rows.some(row.tier), rows.some(row.rule)
    local how = tier and (' [%s: %s]'):format(tier, rule) or ''
    item.text = ('%s: surefoot says %s%s, %s says %s'):format(row.name, named(row.own), how, row.resolver, named(row.theirs))
    item.type = 'W'
    return item
  end, found)
end

function M.run()
  local client = client_of.need()
  if not client then
    return
  end
  client_of.request(client, 'surefoot/disagreements', vim.NIL, function(found)
    local items = M.items(found or {}, client.offset_encoding)
    vim.fn.setqflist({}, ' ', { title = ('%d disagreements'):format(#items), items = items })
    if #items == 0 then
      client_of.say('no other server that was asked says otherwise')
    else
      vim.cmd('botright copen')
    end
  end)
end

return M
