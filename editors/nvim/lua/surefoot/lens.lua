-- Keeps lenses fresh. Neovim 0.11 draws them only when told to, and not for the server's own refresh request;
-- from 0.12 on it does all of this by itself.

local M = {}

local METHOD = 'textDocument/codeLens'

--- Buffers with a request under way; true when one more is wanted after it.
---@type table<integer, boolean>
local busy = {}

local function by_itself()
  return vim.lsp.codelens.enable ~= nil
end

--- Lenses are shown unless vim.g.surefoot_lens is false.
local function wanted()
  return vim.g.surefoot_lens ~= false
end

--- Asks for the lenses of a buffer. Only Surefoot is asked: what others show is theirs to refresh.
---@param bufnr integer
function M.refresh(bufnr)
  if by_itself() or not wanted() or not vim.api.nvim_buf_is_loaded(bufnr) then
    return
  end
  local client = vim.lsp.get_clients({ name = 'surefoot', bufnr = bufnr, method = METHOD })[1]
  if not client then
    return
  end
  if busy[bufnr] ~= nil then
    busy[bufnr] = true
    return
  end
  busy[bufnr] = false
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  local sent = client:request(METHOD, params, function(err, result, context)
    local again = busy[bufnr]
    busy[bufnr] = nil
    -- An answer about a text that is gone: the next request is under way or about to be.
    if not err and vim.api.nvim_buf_is_loaded(bufnr) then
      vim.lsp.codelens.on_codelens(err, result, context)
    end
    if again then
      M.refresh(bufnr)
    end
  end, bufnr)
  if not sent then
    busy[bufnr] = nil
  end
end

--- Handles surefoot/changed.
function M.changed(_, params)
  for _, uri in ipairs(params.uris) do
    M.refresh(vim.uri_to_bufnr(uri))
  end
end

---@param bufnr integer
function M.attach(bufnr)
  if not wanted() then
    return
  end
  if by_itself() then
    vim.lsp.codelens.enable(true, { bufnr = bufnr })
    return
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
    group = vim.api.nvim_create_augroup('surefoot.lens.' .. bufnr, {}),
    buffer = bufnr,
    desc = 'Redraw lenses: those of changed lines are gone',
    callback = function()
      M.refresh(bufnr)
    end,
  })
  M.refresh(bufnr)
end

return M
