-- :Surefoot and its subcommands, each with its completion.

local client_of = require('surefoot.client')

local M = {}

---@class surefoot.Subcommand
---@field run fun(arguments: string[])
---@field complete fun(lead: string): string[]

local function nothing()
  return {}
end

local function starting(lead, words)
  return vim.tbl_filter(function(word)
    return vim.startswith(word, lead)
  end, words)
end

---@param direction 'callers'|'callees'
---@return surefoot.Subcommand
local function calls(direction)
  return {
    run = function(arguments)
      local shape, depth = 'quickfix', 1
      local deepest = require('surefoot.calls').DEEPEST
      for _, argument in ipairs(arguments) do
        local number = tonumber(argument)
        if argument == 'tree' then
          shape = 'tree'
        elseif number and number >= 1 and number <= deepest and number % 1 == 0 then
          depth = number
        else
          client_of.say(
            (':Surefoot %s takes "tree" and a depth from 1 to %d, not %q'):format(direction, deepest, argument),
            vim.log.levels.ERROR
          )
          return
        end
      end
      require('surefoot.calls').show(direction, shape, depth)
    end,
    complete = function(lead)
      return starting(lead, { 'tree', '1', '2', '3', '4', '8', '16' })
    end,
  }
end

---@param name 'export'|'verify'
---@return surefoot.Subcommand
local function report(name)
  return {
    run = function(arguments)
      require('surefoot.report')[name](arguments[1])
    end,
    complete = function(lead)
      return vim.fn.getcompletion(lead, 'file')
    end,
  }
end

--- A name that snapshots may have; there is nothing to complete it from without asking.
---@param name 'snapshot'|'diff'
---@return surefoot.Subcommand
local function kept(name)
  return {
    run = function(arguments)
      require('surefoot.report')[name](arguments[1])
    end,
    complete = nothing,
  }
end

---@type table<string, surefoot.Subcommand>
M.subcommands = {
  callers = calls('callers'),
  callees = calls('callees'),
  explain = {
    run = function()
      require('surefoot.explain').run()
    end,
    complete = nothing,
  },
  disagreements = {
    run = function()
      require('surefoot.disagreements').run()
    end,
    complete = nothing,
  },
  report = report('export'),
  verify = report('verify'),
  snapshot = kept('snapshot'),
  diff = kept('diff'),
  status = {
    run = function()
      require('surefoot.status').run()
    end,
    complete = nothing,
  },
}

---@param arguments vim.api.keyset.create_user_command.command_args
function M.run(arguments)
  local words = arguments.fargs
  local name = table.remove(words, 1)
  local subcommand = M.subcommands[name]
  if not subcommand then
    local known = vim.tbl_keys(M.subcommands)
    table.sort(known)
    client_of.say(('there is no :Surefoot %s; there are %s'):format(name, table.concat(known, ', ')), vim.log.levels.ERROR)
    return
  end
  subcommand.run(words)
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local name = line:match('^%s*%S*Surefoot!?%s+(%S+)%s')
  if name then
    local subcommand = M.subcommands[name]
    return subcommand and subcommand.complete(lead) or {}
  end
  local known = vim.tbl_keys(M.subcommands)
  table.sort(known)
  return starting(lead, known)
end

return M
