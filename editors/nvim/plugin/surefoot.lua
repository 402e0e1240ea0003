-- Registers the :Surefoot command and keeps lenses fresh. The server is enabled by the user: vim.lsp.enable('surefoot').

if vim.g.loaded_surefoot then
  return
end
vim.g.loaded_surefoot = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('surefoot: Neovim 0.11 or newer is needed', vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command('Surefoot', function(arguments)
  require('surefoot.command').run(arguments)
end, {
  nargs = '+',
  desc = 'Who calls this, and how do you know',
  complete = function(lead, line)
    return require('surefoot.command').complete(lead, line)
  end,
})

-- A lens may also be run by a client that was started without lsp/surefoot.lua.
for _, command in ipairs({ 'surefoot.callers', 'surefoot.callees' }) do
  vim.lsp.commands[command] = function(...)
    require('surefoot.calls').from_lens(...)
  end
end

local group = vim.api.nvim_create_augroup('surefoot', {})
vim.api.nvim_create_autocmd({ 'LspAttach', 'LspDetach' }, {
  group = group,
  desc = 'Lenses, and who answers the call hierarchy',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'surefoot' and event.event == 'LspAttach' then
      require('surefoot.lens').attach(event.buf)
    end
    if #vim.lsp.get_clients({ name = 'surefoot', bufnr = event.buf }) > 0 then
      -- A client that is leaving is still among those of the buffer.
      vim.schedule(function()
        require('surefoot.neighbours').arbitrate(event.buf)
      end)
    end
  end,
})
