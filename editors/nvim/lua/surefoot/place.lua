-- Places: from the protocol's positions, counted in the client's encoding, to Neovim's lines and byte columns.

local M = {}

--- Texts read while one list is made, so that a file with fifty sites is read once.
---@alias surefoot.Texts table<string, string[]>

---@param uri string
---@param texts surefoot.Texts
---@return string[]
local function lines(uri, texts)
  local known = texts[uri]
  if known then
    return known
  end
  local bufnr = vim.uri_to_bufnr(uri)
  local read
  if vim.api.nvim_buf_is_loaded(bufnr) then
    read = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
  else
    local file = io.open(vim.uri_to_fname(uri), 'rb')
    local text = file and file:read('*a') or ''
    if file then
      file:close()
    end
    -- As in a buffer: no byte order mark, no carriage returns.
    read = vim.split(text:gsub('^\239\187\191', ''), '\r?\n')
  end
  texts[uri] = read
  return read
end

---@param uri string
---@param line integer from zero
---@param texts surefoot.Texts?
---@return string
function M.line(uri, line, texts)
  return lines(uri, texts or {})[line + 1] or ''
end

--- The byte a position stands on, from zero.
---@param uri string
---@param position lsp.Position
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@param texts surefoot.Texts?
---@return integer
function M.byte(uri, position, encoding, texts)
  return vim.str_byteindex(M.line(uri, position.line, texts), encoding, position.character, false)
end

--- The same place in another client's count.
---@param uri string
---@param position lsp.Position
---@param from string
---@param to string
---@param texts surefoot.Texts?
---@return lsp.Position
function M.recode(uri, position, from, to, texts)
  if from == to then
    return position
  end
  local line = M.line(uri, position.line, texts)
  local byte = vim.str_byteindex(line, from, position.character, false)
  return { line = position.line, character = vim.str_utfindex(line, to, byte, false) }
end

--- A site as an item of a quickfix list: lines and byte columns from one.
---@param site {uri: string, range: lsp.Range}
---@param encoding string
---@param texts surefoot.Texts
---@return vim.quickfix.entry
function M.item(site, encoding, texts)
  local from, to = site.range.start, site.range['end']
  return {
    filename = vim.uri_to_fname(site.uri),
    lnum = from.line + 1,
    col = M.byte(site.uri, from, encoding, texts) + 1,
    end_lnum = to.line + 1,
    end_col = M.byte(site.uri, to, encoding, texts) + 1,
  }
end

--- A short form for people: `src/main.rs:12`.
---@param site {uri: string, range: lsp.Range}
---@return string
function M.short(site)
  return ('%s:%d'):format(vim.fn.fnamemodify(vim.uri_to_fname(site.uri), ':~:.'), site.range.start.line + 1)
end

--- Opens a site in a window that holds files, not in one of our own.
---@param site {uri: string, range: lsp.Range}
---@param encoding string
---@param window integer?
function M.open(site, encoding, window)
  if window and vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_set_current_win(window)
  end
  vim.cmd("normal! m'")
  local bufnr = vim.uri_to_bufnr(site.uri)
  vim.fn.bufload(bufnr)
  vim.bo[bufnr].buflisted = true
  vim.api.nvim_win_set_buf(0, bufnr)
  local line = math.min(site.range.start.line + 1, vim.api.nvim_buf_line_count(bufnr))
  vim.api.nvim_win_set_cursor(0, { line, M.byte(site.uri, site.range.start, encoding) })
  vim.cmd('normal! zv')
end

return M
