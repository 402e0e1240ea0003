-- Writes a report of the workspace's folder, compares one with it, and keeps snapshots to compare with.

local client_of = require('surefoot.client')
local page = require('surefoot.page')

local M = {}

local NAME = 'surefoot-report.json'
--- Under this token the server tells how far it is: see vim.lsp.status().
local TOLD = 'surefoot/request'

---@param client vim.lsp.Client
---@return string
local function root_of(client)
  return client.root_dir or vim.fn.getcwd()
end

--- Changed buffers below a folder.
---@param root string
---@return integer[]
local function unwritten(root)
  return vim.tbl_filter(function(bufnr)
    local name = vim.api.nvim_buf_get_name(bufnr)
    return vim.bo[bufnr].modified and vim.bo[bufnr].buftype == '' and vim.startswith(vim.fs.normalize(name), vim.fs.normalize(root) .. '/')
  end, vim.api.nvim_list_bufs())
end

--- A report is about what is on the disk. False when the user would rather not go on.
---@param root string
---@return boolean
local function offer_to_write(root)
  local buffers = unwritten(root)
  if #buffers == 0 then
    return true
  end
  local names = vim.tbl_map(function(bufnr)
    return '  ' .. vim.fn.fnamemodify(vim.api.nvim_buf_get_name(bufnr), ':~:.')
  end, buffers)
  local question = ('A report is about what is on the disk, and these have changes:\n%s'):format(table.concat(names, '\n'))
  local answer = vim.fn.confirm(question, '&Write them\n&Go on without\n&Cancel', 1)
  if answer == 1 then
    for _, bufnr in ipairs(buffers) do
      vim.api.nvim_buf_call(bufnr, function()
        vim.cmd('silent write')
      end)
    end
  end
  return answer == 1 or answer == 2
end

---@param path string?
---@param root string
---@return string
local function absolute(path, root)
  return path and path ~= '' and vim.fn.fnamemodify(vim.fn.expand(path), ':p') or vim.fs.joinpath(root, NAME)
end

--- The files that differ, in the quickfix list.
---@param title string
---@param differing { uri: string, what: string }[]
local function list(title, differing)
  local items = vim.tbl_map(function(differs)
    return { filename = vim.uri_to_fname(differs.uri), lnum = 1, col = 1, text = differs.what, type = 'W' }
  end, differing)
  vim.fn.setqflist({}, ' ', { title = title, items = items })
end

--- The client and its root, once what the disk should hold is written; nil when
--- there is no client, or the user would rather not write.
local function ready()
  local client = client_of.need()
  local root = client and root_of(client)
  if root and offer_to_write(root) then
    return client, root
  end
end

---@param path string?
function M.export(path)
  local client, root = ready()
  if not client then
    return
  end
  local params = { root = vim.uri_from_fname(root), path = absolute(path, root), html = true, workDoneToken = TOLD }
  client_of.request(client, 'surefoot/report', params, function(written)
    client_of.say(
      ('%s: %d entities, %d calls, snapshot %s%s'):format(
        vim.fn.fnamemodify(written.path, ':~:.'),
        written.entities,
        written.callEdges,
        written.snapshotId:sub(1, 12),
        written.isComplete and '' or '; not complete, it lists what was skipped and why'
      )
    )
  end)
end

---@param path string?
function M.verify(path)
  local client, root = ready()
  if not client then
    return
  end
  local params = { root = vim.uri_from_fname(root), report = absolute(path, root), workDoneToken = TOLD }
  client_of.request(client, 'surefoot/verify', params, function(verdict)
    local title = ('%s: %s'):format(vim.fn.fnamemodify(params.report, ':~:.'), verdict.verified and 'verified' or 'NOT verified')
    list(title, verdict.differs)
    page.window('verdict', verdict.text)
    client_of.say(title, verdict.verified and vim.log.levels.INFO or vim.log.levels.WARN)
  end)
end

--- Keeps the folder as it is on the disk, to compare with later.
---@param name string?
function M.snapshot(name)
  local client, root = ready()
  if not client then
    return
  end
  local params = { root = vim.uri_from_fname(root), name = name, workDoneToken = TOLD }
  client_of.request(client, 'surefoot/saveSnapshot', params, function(saved)
    local how = saved.reused and 'was kept already' or 'is kept'
    client_of.say(('snapshot %s%s %s'):format(saved.id:sub(1, 12), name and (' (' .. name .. ')') or '', how))
  end)
end

--- What changed since a snapshot was kept; the newest without a name.
---@param name string?
function M.diff(name)
  local client, root = ready()
  if not client then
    return
  end
  local params = { root = vim.uri_from_fname(root), snapshot = name, workDoneToken = TOLD }
  client_of.request(client, 'surefoot/compare', params, function(comparison)
    list(('since %s'):format(name or 'the newest snapshot'), comparison.differs)
    page.window('comparison', comparison.text)
  end)
end

return M
