-- Texts for reading: a float for a few lines, a window for a page.

local M = {}

---@param text string
---@param syntax string
function M.float(text, syntax)
  local lines = vim.split(vim.trim(text), '\n')
  return vim.lsp.util.open_floating_preview(lines, syntax, { border = 'rounded', focus_id = 'surefoot', max_width = 100 })
end

--- Shows a page in a window below; one of the same name is replaced.
---@param name string
---@param text string
function M.window(name, text)
  local title = 'surefoot://' .. name
  local bufnr = vim.fn.bufnr('^' .. title .. '$')
  if bufnr < 0 then
    bufnr = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(bufnr, title)
    vim.bo[bufnr].bufhidden = 'wipe'
  end
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, vim.split(vim.trim(text), '\n'))
  vim.bo[bufnr].modifiable = false
  if vim.fn.bufwinid(bufnr) < 0 then
    vim.cmd('botright 15split')
    vim.api.nvim_win_set_buf(0, bufnr)
  end
end

return M
