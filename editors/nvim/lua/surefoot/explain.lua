-- How a call came to its target: the text in a float, the places it rests on in the location list.

local calls = require('surefoot.calls')
local client_of = require('surefoot.client')
local page = require('surefoot.page')
local place = require('surefoot.place')
local rows = require('surefoot.rows')

local M = {}

---@param answer table
---@param encoding string
---@return vim.quickfix.entry[]
function M.items(answer, encoding)
  local items, texts = {}, {}
  local function add(site, text)
    local item = place.item(site, encoding, texts)
    item.text = text
    table.insert(items, item)
  end
  local function symbol(it, text)
    add({ uri = it.uri, range = it.selectionRange }, text)
  end
  if rows.some(answer.target) then
    symbol(answer.target, 'target: ' .. rows.qualified(answer.target))
  end
  local evidence = rows.some(answer.evidence)
  for _, via in ipairs(evidence and evidence.via or {}) do
    add(via, ('%s: %s'):format(via.role, vim.trim(via.line)))
  end
  for _, candidate in ipairs(answer.candidates) do
    symbol(candidate.symbol, ('%s possible: %s - %s'):format(rows.GLYPHS.possible, rows.qualified(candidate.symbol), candidate.note))
  end
  for _, refused in ipairs(answer.refused) do
    symbol(refused.symbol, ('refused: %s - %s'):format(rows.qualified(refused.symbol), refused.why))
  end
  return items
end

function M.run()
  local client = client_of.need()
  if not client then
    return
  end
  local window = vim.api.nvim_get_current_win()
  client_of.request(client, 'surefoot/explain', calls.at_cursor(client), function(answer)
    if not answer then
      client_of.say('no call stands at the cursor')
      return
    end
    local items = M.items(answer, client.offset_encoding)
    vim.fn.setloclist(window, {}, ' ', { title = answer.title, items = items })
    local hint = #items > 0 and '\n\n_:lopen lists these places_' or ''
    page.float(answer.markdown .. hint, 'markdown')
  end)
end

return M
