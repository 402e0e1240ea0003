-- What this plugin adds to lsp/surefoot.lua: it reads the server's notifications, answers its questions and shows its
-- call trees. Everything is loaded when it is first needed.

local function call(module, name)
  return function(...)
    return require('surefoot.' .. module)[name](...)
  end
end

return {
  init_options = {
    client = { name = 'neovim', version = require('surefoot.version') },
    ask = true,
    changed = true,
    showCallTree = true,
  },
  capabilities = { experimental = { serverStatusNotification = true } },
  handlers = {
    ['surefoot/ask'] = call('ask', 'answer'),
    ['surefoot/changed'] = call('lens', 'changed'),
    ['experimental/serverStatus'] = call('status', 'said'),
  },
  commands = {
    ['surefoot.callers'] = call('calls', 'from_lens'),
    ['surefoot.callees'] = call('calls', 'from_lens'),
  },
}
