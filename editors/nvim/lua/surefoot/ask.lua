-- Answers surefoot/ask: asks the other servers of the buffer about a call that the source alone cannot place.

local place = require('surefoot.place')

local M = {}

local METHODS = { definition = 'textDocument/definition', implementation = 'textDocument/implementation' }

--- A definition is a location, several, links, or nothing.
---@return {uri: string, range: lsp.Range}[]
local function locations(result)
  if result == nil or result == vim.NIL then
    return {}
  end
  local all = vim.islist(result) and result or { result }
  return vim.tbl_map(function(each)
    return { uri = each.uri or each.targetUri, range = each.range or each.targetSelectionRange or each.targetRange }
  end, all)
end

---@param client vim.lsp.Client
local function identity(client)
  local info = client.server_info or {}
  return { name = info.name or client.name, version = info.version or '' }
end

--- What a server that is still reading says it is doing. What it does not find then means nothing.
---@param client vim.lsp.Client
---@return string?
local function busy(client)
  local _, title = next(client.progress.pending)
  return title and ('still busy: ' .. tostring(title))
end

--- Runs inside the coroutine in which Neovim handles a request of the server: it waits without blocking the editor.
function M.answer(_, params, context)
  local answers = { answers = {}, unavailable = {} }

  local ours = assert(vim.lsp.get_client_by_id(context.client_id))
  local uri, method = params.textDocument.uri, METHODS[params.kind]
  local bufnr = vim.uri_to_bufnr(uri)
  if not method or not vim.api.nvim_buf_is_loaded(bufnr) then
    table.insert(answers.unavailable, { server = 'Neovim', why = method and 'the document is not open' or 'unknown kind of question' })
    return answers
  end
  local others = vim.tbl_filter(function(client)
    return client.id ~= ours.id
  end, vim.lsp.get_clients({ bufnr = bufnr, method = method }))
  if #others == 0 then
    return answers
  end

  local thread = assert(coroutine.running())
  local waiting, finished, resumed = #others, false, false
  local yielded = false
  local function finish()
    if finished then
      return
    end
    finished = true
    if yielded and not resumed then
      resumed = true
      coroutine.resume(thread)
    end
  end

  local texts = {}
  local open = {} ---@type table<integer, integer?> client -> request
  for _, client in ipairs(others) do
    local server = identity(client)
    local position = place.recode(uri, params.position, ours.offset_encoding, client.offset_encoding, texts)
    local sent, request = client:request(method, { textDocument = { uri = uri }, position = position }, function(err, result)
      open[client.id] = nil
      if finished then
        return
      end
      if err then
        table.insert(answers.unavailable, { server = server.name, why = err.message })
      elseif #locations(result) == 0 and busy(client) then
        table.insert(answers.unavailable, { server = server.name, why = busy(client) })
      else
        local found = vim.tbl_map(function(location)
          local function recode(at)
            return place.recode(location.uri, at, client.offset_encoding, ours.offset_encoding, texts)
          end
          local range = { start = recode(location.range.start), ['end'] = recode(location.range['end']) }
          return { uri = location.uri, range = range }
        end, locations(result))
        table.insert(answers.answers, { server = server, via = vim.NIL, locations = found })
      end
      waiting = waiting - 1
      if waiting == 0 then
        finish()
      end
    end, bufnr)
    if sent then
      open[client.id] = request
    else
      table.insert(answers.unavailable, { server = server.name, why = 'it has ended' })
      waiting = waiting - 1
    end
  end

  if waiting > 0 and not finished then
    vim.defer_fn(function()
      if finished then
        return
      end
      for id, request in pairs(open) do
        local client = vim.lsp.get_client_by_id(id)
        if client then
          client:cancel_request(request)
          local why = ('no answer within %d ms'):format(params.timeoutMs)
          table.insert(answers.unavailable, { server = identity(client).name, why = why })
        end
      end
      finish()
    end, params.timeoutMs)
    yielded = true
    coroutine.yield()
  end
  return answers
end

return M
