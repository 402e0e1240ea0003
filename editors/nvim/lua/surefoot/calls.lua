-- Callers and callees: asks for them and shows them as a quickfix list or as a tree.

local client_of = require('surefoot.client')
local place = require('surefoot.place')
local rows = require('surefoot.rows')

local M = {}

--- The deepest tree the server gives at once.
M.DEEPEST = 16

--- One item for each call site, depth first, so that :cnext visits every call.
---@param tree table the answer of surefoot/callTree
---@param encoding string
---@return vim.quickfix.entry[]
function M.items(tree, encoding)
  local items, texts = {}, {}
  -- Iterative: depth is bounded, width is the user's code.
  local todo = {}
  local function push(nodes, depth)
    for at = #nodes, 1, -1 do
      table.insert(todo, { node = nodes[at], depth = depth })
    end
  end
  push(tree.nodes, 0)
  while #todo > 0 do
    local next = table.remove(todo)
    local node, symbol = next.node, rows.some(next.node.symbol)
    local text = ('  '):rep(next.depth) .. (symbol and rows.call(node) or rows.unplaced(node, tree))
    local sites = node.sites
    if #sites == 0 and symbol then
      sites = { { uri = symbol.uri, range = symbol.selectionRange } }
    end
    for _, site in ipairs(sites) do
      local item = place.item(site, encoding, texts)
      item.text = text
      item.user_data = {
        surefoot = {
          handle = symbol and symbol.handle,
          name = symbol and symbol.name,
          container = symbol and rows.some(symbol.container),
          tier = rows.some(node.tier),
          rule = rows.some(node.rule),
          resolver = rows.some(node.resolver),
          depth = next.depth + 1,
        },
      }
      table.insert(items, item)
    end
    push(rows.some(node.children) or {}, next.depth + 1)
  end
  if tree.truncated > 0 then
    table.insert(items, { text = ('%d more, not shown'):format(tree.truncated), valid = 0 })
  end
  if rows.some(tree.floor) then
    table.insert(items, { text = tree.floor, valid = 0, type = 'W' })
  end
  return items
end

---@param tree table
---@param encoding string
function M.quickfix(tree, encoding)
  local items = M.items(tree, encoding)
  local title = ('%s: %s'):format(rows.title(tree.direction, tree.root), rows.summary(tree))
  vim.fn.setqflist({}, ' ', { title = title, items = items })
  if #items == 0 then
    client_of.say(title)
  else
    vim.cmd('botright copen')
  end
end

--- What the cursor stands on, in an editor's window.
---@param client vim.lsp.Client
---@return table
function M.at_cursor(client)
  return vim.lsp.util.make_position_params(0, client.offset_encoding)
end

---@param direction 'callers'|'callees'
---@param shape 'quickfix'|'tree'
---@param depth integer
function M.show(direction, shape, depth)
  local client = client_of.need()
  if not client then
    return
  end
  local params = M.at_cursor(client)
  params.direction, params.depth = direction, depth
  local window = vim.api.nvim_get_current_win()
  client_of.request(client, 'surefoot/callTree', params, function(tree)
    if not tree then
      client_of.say('no function or call stands at the cursor')
    elseif shape == 'tree' then
      require('surefoot.tree').open(tree, client, window)
    else
      M.quickfix(tree, client.offset_encoding)
    end
  end)
end

--- Runs when a lens is run: `surefoot.callers` and `surefoot.callees`.
---@param command lsp.Command
---@param context {client_id: integer, bufnr: integer}
function M.from_lens(command, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  if not client then
    return
  end
  local params = { command = command.command, arguments = command.arguments }
  client_of.request(client, 'workspace/executeCommand', params, function(tree)
    if tree then
      M.quickfix(tree, client.offset_encoding)
    end
  end)
  -- Neovim 0.11 has wiped the lens that was run.
  require('surefoot.lens').refresh(context.bufnr)
end

return M
