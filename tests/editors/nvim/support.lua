-- What the tests share: cases, conditions with a deadline, a fresh copy of the workspace, and what the user was told.

local M = {}

--- No condition of a test may take longer, on a slow machine either.
M.DEADLINE = 30000

---@type string[]
M.said = {}
vim.notify = function(message)
  table.insert(M.said, message)
end

local failed, ran = 0, 0

--- Runs one case and prints its line; a failure does not stop the others.
---@param name string
---@param body fun()
function M.case(name, body)
  ran = ran + 1
  M.said = {}
  local ok, err = xpcall(body, debug.traceback)
  io.stdout:write(('%s %s\n'):format(ok and 'ok' or 'NOT OK', name))
  if not ok then
    failed = failed + 1
    io.stdout:write('  ', (tostring(err):gsub('\n', '\n  ')), '\n')
    for _, message in ipairs(M.said) do
      io.stdout:write('  said: ', message, '\n')
    end
  end
end

function M.finish()
  io.stdout:write(('%d cases, %d failed\n'):format(ran, failed))
  vim.cmd(failed == 0 and ran > 0 and 'qall!' or 'cquit')
end

--- Waits for a condition; what it returned is returned.
---@generic T
---@param what string
---@param condition fun(): T
---@param deadline integer?
---@return T
function M.wait(what, condition, deadline)
  local value
  local met = vim.wait(deadline or M.DEADLINE, function()
    value = condition()
    return value and true or false
  end, 20)
  if not met then
    error(('waited %d s for %s'):format((deadline or M.DEADLINE) / 1000, what), 2)
  end
  return value
end

function M.equal(got, want, what)
  if not vim.deep_equal(got, want) then
    error(('%s\n got: %s\nwant: %s'):format(what or 'not equal', vim.inspect(got), vim.inspect(want)), 2)
  end
end

function M.matches(text, pattern, what)
  if not tostring(text):find(pattern) then
    error(('%s\n got: %s\nwant: %s'):format(what or 'no match', vim.inspect(text), pattern), 2)
  end
end

--- A new copy of the workspace, made the working directory. Clients and buffers of earlier cases are gone.
---@param files table<string, string[]>? files to write into it
---@return string
function M.fresh(files)
  for _, client in ipairs(vim.lsp.get_clients()) do
    vim.lsp.enable(client.name, false)
    client:stop(true)
  end
  M.wait('the clients of the last case to end', function()
    return #vim.lsp.get_clients() == 0
  end)
  vim.cmd('silent! %bwipeout! | silent! only')
  vim.fn.setqflist({}, 'f')
  local root = vim.fn.tempname()
  local copied = vim.system({ 'cp', '-r', vim.env.SUREFOOT_WORKSPACE, root }):wait()
  assert(copied.code == 0, copied.stderr)
  -- What git init leaves behind: the root of the project for every client.
  vim.fn.mkdir(root .. '/.git', 'p')
  root = vim.uv.fs_realpath(root)
  for file, lines in pairs(files or {}) do
    vim.fn.writefile(lines, root .. '/' .. file)
  end
  vim.cmd.cd(root)
  return root
end

--- Opens a file and waits until this client is there.
---@param file string
---@param client string?
---@return vim.lsp.Client
function M.open(file, client)
  vim.cmd.edit(file)
  return M.wait(('%s to attach to %s'):format(client or 'surefoot', file), function()
    local found = vim.lsp.get_clients({ name = client or 'surefoot', bufnr = 0 })[1]
    return found and found.initialized and found
  end)
end

--- Puts the cursor on a text of the current buffer.
---@param line integer
---@param text string
function M.cursor(line, text)
  local content = vim.api.nvim_buf_get_lines(0, line - 1, line, false)[1]
  local at = assert(content:find(text, 1, true), ('line %d has no %s: %s'):format(line, text, content))
  vim.api.nvim_win_set_cursor(0, { line, at - 1 })
end

--- What Neovim draws at the end of the lines: line -> text.
---@param bufnr integer
---@return table<integer, string>
function M.lenses(bufnr)
  local out = {}
  for name, namespace in pairs(vim.api.nvim_get_namespaces()) do
    if name:find('codelens') then
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(bufnr, namespace, 0, -1, { details = true })) do
        local chunks = mark[4].virt_text or (mark[4].virt_lines or {})[1] or {}
        local text = table.concat(vim.tbl_map(function(chunk)
          return chunk[1]
        end, chunks))
        out[mark[2] + 1] = text
      end
    end
  end
  return out
end

--- The quickfix list as rows that read well in a failure: `src/cart.rs:5:47 text`.
---@param root string
---@return string[]
function M.quickfix(root)
  return vim.tbl_map(function(item)
    if item.valid == 0 then
      return item.text
    end
    local name = vim.uv.fs_realpath(vim.api.nvim_buf_get_name(item.bufnr)) or ''
    return ('%s:%d:%d %s'):format(name:sub(#root + 2), item.lnum, item.col, item.text)
  end, vim.fn.getqflist())
end

return M
