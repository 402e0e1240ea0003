-- A call tree in a window of its own: rows open when asked, one level at a time, to any depth.

local client_of = require('surefoot.client')
local place = require('surefoot.place')
local rows = require('surefoot.rows')

local M = {}

local namespace = vim.api.nvim_create_namespace('surefoot.tree')
local HIGHLIGHTS = {
  certain = 'DiagnosticOk',
  likely = 'DiagnosticInfo',
  possible = 'DiagnosticHint',
  unplaced = 'DiagnosticWarn',
  floor = 'DiagnosticWarn',
}

---@class surefoot.Row
---@field kind 'call'|'unplaced'|'floor'|'more'
---@field text string
---@field depth integer
---@field node table?
---@field open boolean
---@field above table<string, true> handles on the path
---@field site {uri: string, range: lsp.Range}?

---@class surefoot.Tree
---@field client vim.lsp.Client
---@field root table
---@field direction string
---@field rows surefoot.Row[]
---@field window integer where places are opened
local trees = {} ---@type table<integer, surefoot.Tree>

---@param tree table
---@param depth integer
---@param above table<string, true>
---@return surefoot.Row[]
local function level(tree, depth, above)
  local out = {}
  local function add(row)
    row.depth, row.open, row.above = depth, false, above
    table.insert(out, row)
  end
  for _, node in ipairs(tree.nodes) do
    local symbol = rows.some(node.symbol)
    if symbol then
      -- One level is asked for at a time: only here is known what stands above it.
      node.recursion = node.recursion or above[symbol.handle] == true
      local site = node.sites[1] or { uri = symbol.uri, range = symbol.selectionRange }
      local times = #node.sites > 1 and (' ×%d'):format(#node.sites) or ''
      add({ kind = 'call', node = node, site = site, text = ('%s  %s%s'):format(rows.call(node), place.short(site), times) })
    else
      for _, site in ipairs(node.sites) do
        add({ kind = 'unplaced', site = site, text = ('%s  %s'):format(rows.unplaced(node, tree), place.short(site)) })
      end
    end
  end
  if tree.truncated > 0 then
    add({ kind = 'more', text = ('%d more, not shown'):format(tree.truncated) })
  end
  if rows.some(tree.floor) then
    add({ kind = 'floor', text = tree.floor })
  end
  return out
end

---@param bufnr integer
local function draw(bufnr)
  local tree = trees[bufnr]
  local lines = { rows.title(tree.direction, tree.root) }
  for _, row in ipairs(tree.rows) do
    local mark = row.kind ~= 'call' and ' ' or row.node.recursion and ' ' or row.open and '▾' or '▸'
    table.insert(lines, ('  '):rep(row.depth) .. mark .. ' ' .. row.text)
  end
  if #tree.rows == 0 then
    table.insert(lines, '  none found')
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines)
  vim.bo[bufnr].modifiable = false
  vim.bo[bufnr].modified = false
  vim.api.nvim_buf_clear_namespace(bufnr, namespace, 0, -1)
  vim.api.nvim_buf_set_extmark(bufnr, namespace, 0, 0, { end_col = #lines[1], hl_group = 'Title' })
  for at, row in ipairs(tree.rows) do
    local group = HIGHLIGHTS[row.node and rows.some(row.node.tier) or row.kind]
    if group then
      local from = #('  '):rep(row.depth)
      vim.api.nvim_buf_set_extmark(bufnr, namespace, at, from, { end_col = #lines[at + 1], hl_group = group })
    end
  end
end

---@return surefoot.Tree?, surefoot.Row?, integer
local function under_cursor(bufnr)
  local at = vim.api.nvim_win_get_cursor(0)[1] - 1
  local tree = trees[bufnr]
  return tree, tree and tree.rows[at], at
end

local function close_row(tree, at)
  local row = tree.rows[at]
  row.open = false
  while tree.rows[at + 1] and tree.rows[at + 1].depth > row.depth do
    table.remove(tree.rows, at + 1)
  end
end

local function open_row(tree, at, children)
  local row = tree.rows[at]
  row.open = true
  for offset, child in ipairs(children) do
    table.insert(tree.rows, at + offset, child)
  end
end

--- Opens or closes the row under the cursor.
function M.toggle(bufnr)
  local tree, row, at = under_cursor(bufnr)
  if not tree or not row or row.kind ~= 'call' or row.node.recursion then
    return
  end
  if row.open then
    close_row(tree, at)
    draw(bufnr)
    return
  end
  local symbol = row.node.symbol
  local above = vim.tbl_extend('force', {}, row.above, { [symbol.handle] = true })
  local params = { handle = symbol.handle, direction = tree.direction, depth = 1 }
  client_of.request(tree.client, 'surefoot/callTree', params, function(answer)
    -- The list may have moved while the server thought.
    local now = 0
    for index, each in ipairs(tree.rows) do
      now = each == row and index or now
    end
    if not answer or now == 0 or row.open or not vim.api.nvim_buf_is_valid(bufnr) then
      return
    end
    open_row(tree, now, level(answer, row.depth + 1, above))
    draw(bufnr)
  end)
end

--- Opens the call of the row, or the declaration of the root.
function M.jump(bufnr)
  local tree, row, at = under_cursor(bufnr)
  if not tree then
    return
  end
  local site = row and row.site or at == 0 and { uri = tree.root.uri, range = tree.root.selectionRange }
  if site then
    place.open(site, tree.client.offset_encoding, tree.window)
  end
end

--- Opens the declaration of the row's symbol.
function M.declaration(bufnr)
  local tree, row = under_cursor(bufnr)
  if tree and row and row.kind == 'call' then
    local symbol = row.node.symbol
    place.open({ uri = symbol.uri, range = symbol.selectionRange }, tree.client.offset_encoding, tree.window)
  end
end

---@param tree table the answer of surefoot/callTree
---@param client vim.lsp.Client
---@param window integer
function M.open(tree, client, window)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(bufnr, ('surefoot://%s/%s/%d'):format(tree.direction, tree.root.name, bufnr))
  vim.bo[bufnr].bufhidden = 'wipe'
  vim.bo[bufnr].filetype = 'surefoot'
  local above = { [tree.root.handle] = true }
  trees[bufnr] = {
    client = client,
    root = tree.root,
    direction = tree.direction,
    rows = level(tree, 0, above),
    window = window,
  }
  vim.api.nvim_create_autocmd('BufWipeout', {
    buffer = bufnr,
    callback = function()
      trees[bufnr] = nil
    end,
  })
  vim.cmd('botright 12split')
  vim.api.nvim_win_set_buf(0, bufnr)
  vim.wo[0][0].cursorline = true
  vim.wo[0][0].wrap = false
  vim.wo[0][0].number = false
  for key, action in pairs({
    ['<CR>'] = { M.jump, 'Open the call' },
    ['<Tab>'] = { M.toggle, 'Open or close the row' },
    ['o'] = { M.toggle, 'Open or close the row' },
    ['gd'] = { M.declaration, 'Open the declaration' },
  }) do
    vim.keymap.set('n', key, function()
      action[1](bufnr)
    end, { buffer = bufnr, desc = action[2] })
  end
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, desc = 'Close the tree' })
  draw(bufnr)
end

return M
