-- What the server is doing, as it says itself.

local client_of = require('surefoot.client')
local page = require('surefoot.page')
local rows = require('surefoot.rows')

local M = {}

---@type table<integer, {health: string, quiescent: boolean, message: string?}>
local last = {}

--- Handles experimental/serverStatus: trouble is said once, when it begins.
function M.said(_, status, context)
  local before = last[context.client_id]
  last[context.client_id] = status
  local message = rows.some(status.message)
  local news = not before or before.health ~= status.health or rows.some(before.message) ~= message
  if status.health ~= 'ok' and message and news then
    client_of.say(message, status.health == 'error' and vim.log.levels.ERROR or vim.log.levels.WARN)
  end
end

--- For statuslines: require('surefoot.status').line()
---@return string
function M.line()
  local client = client_of.get()
  local status = client and last[client.id]
  if not client then
    return ''
  end
  return status and not status.quiescent and 'surefoot …' or status and status.health ~= 'ok' and 'surefoot !' or 'surefoot'
end

function M.run()
  local client = client_of.need()
  if client then
    client_of.request(client, 'surefoot/status', vim.NIL, function(status)
      page.window('status', status.text)
    end)
  end
end

return M
