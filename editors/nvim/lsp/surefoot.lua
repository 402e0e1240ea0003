-- How to start Surefoot: all that vim.lsp.enable('surefoot') needs. This file also works alone, copied into a
-- configuration; what the rest of the plugin adds is added when it is there.

---@type vim.lsp.Config
local config = {
  cmd = { 'surefoot', 'lsp' },
  filetypes = { 'rust', 'typescript', 'typescriptreact', 'javascript', 'javascriptreact', 'python' },
  root_markers = { 'surefoot.toml', '.git', 'Cargo.toml', 'package.json', 'tsconfig.json', 'pyproject.toml' },
  before_init = function(params, own)
    -- What must be known when the server says what it serves comes too late with workspace/configuration.
    local settings = vim.tbl_get(own, 'settings', 'surefoot')
    if settings then
      params.initializationOptions =
        vim.tbl_deep_extend('force', params.initializationOptions or {}, { settings = settings })
    end
  end,
}

local found, more = pcall(require, 'surefoot.config')
return found and vim.tbl_deep_extend('force', config, more) or config
