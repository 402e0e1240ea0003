-- :checkhealth surefoot: names what is wrong and what to do about it.

local M = {}

local function minor(version)
  return (version or ''):match('^%d+%.%d+')
end

local function check_binary()
  local config = vim.lsp.config.surefoot
  local command = config and config.cmd
  if type(command) ~= 'table' then
    vim.health.info('the server is started by a function of your configuration')
    return
  end
  local path = vim.fn.exepath(command[1])
  if path == '' then
    vim.health.error(('%s is not executable or not on the PATH'):format(command[1]), {
      'run `cargo xtask install` in the source of Surefoot, or',
      "name it: vim.lsp.config('surefoot', { cmd = { '/path/to/surefoot', 'lsp' } })",
    })
    return
  end
  local run = vim.system({ path, '--version' }, { text = true }):wait(5000)
  local said = vim.trim(run.stdout or '')
  local version = said:match('%d+%.%d+%.%d+')
  local ours = require('surefoot.version')
  if run.code ~= 0 or not version then
    vim.health.error(('%s --version says nothing of use: %s'):format(path, said .. (run.stderr or '')))
  elseif minor(version) ~= minor(ours) then
    vim.health.warn(('%s is %s and this plugin is %s'):format(path, version, ours), { 'install both from one source' })
  else
    vim.health.ok(('%s %s, plugin %s'):format(path, version, ours))
  end
end

local function check_enabled()
  if vim.lsp.is_enabled and vim.lsp.is_enabled('surefoot') then
    vim.health.ok('enabled')
  else
    vim.health.warn('not enabled', { "put vim.lsp.enable('surefoot') into your init.lua" })
  end
end

---@param client vim.lsp.Client
local function check_client(client)
  local info = client.server_info or {}
  vim.health.start(('surefoot: client %d'):format(client.id))
  vim.health.info(('root: %s'):format(client.root_dir or 'none'))
  vim.health.info(('server: %s %s, positions in %s'):format(info.name or '?', info.version or '?', client.offset_encoding))
  for bufnr in pairs(client.attached_buffers) do
    for _, other in ipairs(vim.lsp.get_clients({ bufnr = bufnr })) do
      if other.offset_encoding ~= client.offset_encoding then
        vim.health.info(
          ('%s counts positions in %s: Surefoot converts when it asks it'):format(other.name, other.offset_encoding)
        )
      end
    end
    local who = require('surefoot.neighbours').answerers(bufnr)
    local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.')
    vim.health.info(('call hierarchy of %s is answered by: %s'):format(name, #who > 0 and table.concat(who, ', ') or 'nobody'))
  end
  local answer = client:request_sync('surefoot/status', vim.NIL, 5000)
  local status = answer and answer.result
  if not status then
    local why = answer and answer.err and answer.err.message or 'no answer within 5 s'
    vim.health.error('the server does not say how it is: ' .. why)
    return
  end
  for line in vim.gsplit(vim.trim(status.text), '\n') do
    vim.health.info(line)
  end
  if status.watch == 'off' then
    vim.health.warn('nobody watches the files: changes outside Neovim go unseen', {
      'on Linux see `sysctl fs.inotify.max_user_watches`',
    })
  end
end

function M.check()
  vim.health.start('surefoot')
  if vim.fn.has('nvim-0.11') == 0 then
    vim.health.error('Neovim 0.11 or newer is needed')
    return
  end
  check_binary()
  check_enabled()
  if vim.lsp.codelens.enable then
    vim.health.ok('lenses: drawn by Neovim itself')
  else
    vim.health.ok('lenses: refreshed by this plugin (Neovim 0.11)')
  end
  local clients = vim.lsp.get_clients({ name = 'surefoot' })
  if #clients == 0 then
    vim.health.info('no server runs: open a Rust, TypeScript, JavaScript or Python file of a project')
  end
  for _, client in ipairs(clients) do
    check_client(client)
  end
end

return M
