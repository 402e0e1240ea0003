-- The way to the server: finds its client and sends requests that are not part of the protocol.

local M = {}

--- The client of a buffer, else the only one there is: our own pages have none.
---@param bufnr integer?
---@return vim.lsp.Client?
function M.get(bufnr)
  local here = vim.lsp.get_clients({ name = 'surefoot', bufnr = bufnr or 0 })
  return here[1] or vim.lsp.get_clients({ name = 'surefoot' })[1]
end

---@param message string
---@param level integer?
function M.say(message, level)
  vim.notify('surefoot: ' .. message, level or vim.log.levels.INFO)
end

--- The client, or a message that says what to do.
---@return vim.lsp.Client?
function M.need()
  local client = M.get()
  if not client then
    M.say("no server is attached: see :checkhealth surefoot, or vim.lsp.enable('surefoot')", vim.log.levels.WARN)
  end
  return client
end

--- Sends a request; an error is said, `null` arrives as nil.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param on_result fun(result: any)
function M.request(client, method, params, on_result)
  local sent = client:request(method, params, function(err, result)
    if err then
      M.say(('%s: %s'):format(method, err.message), vim.log.levels.ERROR)
      return
    end
    if result == vim.NIL then
      result = nil
    end
    on_result(result)
  end)
  if not sent then
    M.say('the server has ended: see :checkhealth surefoot', vim.log.levels.ERROR)
  end
end

return M
