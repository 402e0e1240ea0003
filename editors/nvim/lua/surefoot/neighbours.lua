-- Leaves to other servers what they answer too, language by language: with two that answer, every
-- vim.lsp.buf.incoming_calls() would first ask which.

local M = {}

local SHARED = {
  { method = 'textDocument/prepareCallHierarchy', capability = 'callHierarchyProvider', setting = 'callHierarchy' },
  { method = 'textDocument/prepareTypeHierarchy', capability = 'typeHierarchyProvider', setting = 'typeHierarchy' },
  { method = 'textDocument/documentSymbol', capability = 'documentSymbolProvider', setting = 'documentSymbols' },
}

--- What our server offered, before we took it back for some languages.
---@type table<integer, table<string, any>>
local offered = {}

---@param client vim.lsp.Client
---@param feature string
---@return 'auto'|'always'|'never'
local function mode(client, feature)
  local own = vim.tbl_get(client.settings or {}, 'surefoot') or {}
  return vim.tbl_get(own, feature, 'provider') or own[feature .. '.provider'] or 'auto'
end

--- Filetypes of the client's buffers for which nobody else serves the method.
---@param client vim.lsp.Client
---@param method string
---@return table<string, boolean>
local function alone(client, method)
  local out = {}
  for bufnr in pairs(client.attached_buffers) do
    if vim.api.nvim_buf_is_valid(bufnr) then
      local filetype = vim.bo[bufnr].filetype
      local others = vim.tbl_filter(function(other)
        return other.name ~= 'surefoot'
      end, vim.lsp.get_clients({ bufnr = bufnr, method = method }))
      out[filetype] = out[filetype] ~= false and #others == 0
    end
  end
  return out
end

--- Decides anew, after a client came to or left a buffer.
---@param bufnr integer
function M.arbitrate(bufnr)
  for _, client in ipairs(vim.lsp.get_clients({ name = 'surefoot', bufnr = bufnr })) do
    offered[client.id] = offered[client.id] or vim.deepcopy(client.server_capabilities)
    for _, feature in ipairs(SHARED) do
      if mode(client, feature.setting) == 'auto' and offered[client.id][feature.capability] then
        local selector, others = {}, false
        for filetype, is_alone in pairs(alone(client, feature.method)) do
          if is_alone then
            table.insert(selector, { language = client.get_language_id(bufnr, filetype) })
          else
            others = true
          end
        end
        M.narrow(client, feature, others and selector or nil)
      end
    end
  end
end

--- Lets the client serve a feature for these languages only; for all of them when there is no selector.
---@param client vim.lsp.Client
---@param feature table
---@param selector table[]?
function M.narrow(client, feature, selector)
  local id = 'surefoot.' .. feature.setting
  client.dynamic_capabilities:unregister({ { id = id, method = feature.method } })
  if not selector then
    client.server_capabilities[feature.capability] = offered[client.id][feature.capability]
    return
  end
  client.server_capabilities[feature.capability] = nil
  if #selector > 0 then
    -- Neovim asks whether it said to the server that it can do this. It did not: it is said to Neovim alone.
    local name = feature.method:match('/(.*)')
    local capability = name == 'prepareCallHierarchy' and 'callHierarchy'
      or name == 'prepareTypeHierarchy' and 'typeHierarchy'
      or name
    for _, key in ipairs({ name, capability }) do
      client.capabilities.textDocument[key] =
        vim.tbl_extend('force', client.capabilities.textDocument[key] or {}, { dynamicRegistration = true })
    end
    client.dynamic_capabilities:register({
      { id = id, method = feature.method, registerOptions = { documentSelector = selector } },
    })
  end
end

--- Who answers the call hierarchy of a buffer, for :checkhealth.
---@param bufnr integer
---@return string[]
function M.answerers(bufnr)
  return vim.tbl_map(function(client)
    return client.name
  end, vim.lsp.get_clients({ bufnr = bufnr, method = 'textDocument/prepareCallHierarchy' }))
end

return M
