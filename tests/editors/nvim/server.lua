-- The real server in the real editor: lenses, callers and hovers are compared with what `surefoot callers` says of the
-- same files, before and after typing.

local t = dofile(vim.env.SUREFOOT_TESTS .. '/support.lua')
local SERVER = vim.env.SUREFOOT_SERVER

---@param settings table?
---@return string
local function fresh(settings)
  local root = t.fresh()
  -- Assigned and not called: a call would add to what an earlier case has set.
  vim.lsp.config.surefoot = { cmd = { SERVER, 'lsp' }, settings = settings or {} }
  vim.lsp.enable('surefoot')
  return root
end

--- What the command line says of the files as they are on the disk.
---@param at string
local function cli(at)
  local run = vim.system({ SERVER, 'callers', at, '--format', 'json' }, { text = true }):wait(t.DEADLINE)
  assert(run.code == 0, ('%s: %s'):format(at, run.stderr))
  return vim.json.decode(run.stdout, { luanil = { object = true } })
end

--- The rows of a caller list: one line for each call site, in the order they are shown.
local function cli_rows(answer)
  local rows = {}
  for _, caller in ipairs(answer.callers) do
    for _, site in ipairs(caller.sites) do
      table.insert(rows, ('%s:%d:%d %s %s %s'):format(site.file, site.line, site.column, caller.tier, caller.name, caller.rule))
    end
  end
  for _, site in ipairs(answer.unplaced) do
    table.insert(rows, ('%s:%d:%d unplaced'):format(site.file, site.line, site.column))
  end
  if answer.floor then
    table.insert(rows, answer.floor)
  end
  return rows
end

--- The same of the quickfix list.
local function editor_rows(root)
  return vim.tbl_map(function(item)
    if item.valid == 0 then
      return item.text
    end
    local ours = item.user_data.surefoot
    local file = vim.uv.fs_realpath(vim.api.nvim_buf_get_name(item.bufnr)):sub(#root + 2)
    local place = ('%s:%d:%d'):format(file, item.lnum, item.col)
    return ours.name and ('%s %s %s %s'):format(place, ours.tier, ours.name, ours.rule) or place .. ' unplaced'
  end, vim.fn.getqflist())
end

--- `2 callers in 1 file (+1 possible)`, as a lens should say it of this answer.
local function lens_words(answer)
  local callers, possible, named, files = 0, 0, 0, {}
  for _, caller in ipairs(answer.callers) do
    if caller.named then
      named = named + 1
    elseif caller.tier == 'possible' then
      possible = possible + 1
    else
      callers = callers + 1
      files[caller.file] = true
    end
  end
  local function plural(count, word)
    return ('%d %s%s'):format(count, word, count == 1 and '' or 's')
  end
  local words = answer.floor and (callers == 0 and '? callers' or '≥' .. plural(callers, 'caller')) or plural(callers, 'caller')
  if callers > 0 then
    words = words .. ' in ' .. plural(vim.tbl_count(files), 'file')
  end
  local parts = {}
  if possible > 0 then
    table.insert(parts, ('+%d possible'):format(possible))
  end
  if named > 0 then
    table.insert(parts, ('+%d as a value'):format(named))
  end
  if #parts > 0 then
    words = words .. (' (%s)'):format(table.concat(parts, ', '))
  end
  return words
end

local function callers_here(root, line, name)
  vim.fn.setqflist({}, 'f')
  t.cursor(line, name)
  vim.cmd('Surefoot callers')
  t.wait('the callers of ' .. name, function()
    return vim.fn.getqflist({ title = 1 }).title:find('^Callers of ' .. name)
  end)
  local rows = editor_rows(root)
  vim.cmd('cclose')
  return rows
end

--- Lens line -> name of the function on it.
local function named_lenses(bufnr)
  local out = {}
  for line, text in pairs(t.lenses(bufnr)) do
    out[line] = text
  end
  return out
end

for _, file in ipairs({ 'src/store.rs', 'src/cart.rs', 'web/src/prices.ts', 'web/src/page.tsx' }) do
  t.case(('every lens of %s counts what the command line lists'):format(file), function()
    fresh()
    t.open(file)
    local bufnr = vim.api.nvim_get_current_buf()
    local lenses = t.wait('the lenses', function()
      local found = named_lenses(bufnr)
      return next(found) and found
    end)
    for line, text in pairs(lenses) do
      local answer = cli(('%s:%d'):format(file, line))
      t.equal(answer.root.line, line)
      local words = lens_words(answer)
      assert(text:find(words, 1, true), ('%s:%d says %q, and the list is %q'):format(file, line, text, words))
    end
  end)
end

for _, at in ipairs({
  { 'src/store.rs', 6, 'load' },
  { 'src/store.rs', 12, 'total' },
  { 'src/store.rs', 20, 'countdown' },
  { 'src/store.rs', 25, 'cost' },
  { 'web/src/prices.ts', 1, 'price' },
  { 'web/src/prices.ts', 11, 'add' },
}) do
  local file, line, name = unpack(at)
  t.case(('the callers of %s are those of the command line, at the same bytes'):format(name), function()
    local root = fresh()
    t.open(file)
    local listed = cli_rows(cli(('%s:%d'):format(file, line)))
    t.equal(callers_here(root, line, name), listed)
  end)
end

t.case('callers follow what is typed, before it is written, and the list then equals the one of the written file', function()
  local root = fresh()
  t.open('src/store.rs')
  local store = vim.api.nvim_get_current_buf()
  t.wait('the first lens', function()
    return (t.lenses(store)[6] or ''):find('2 callers in 1 file', 1, true)
  end)

  t.open('src/cart.rs')
  t.cursor(14, 'buy("apple")')
  -- As a person types: one key after the other.
  vim.api.nvim_feedkeys('iload("plum").price + ', 'xt', false)
  assert(vim.bo.modified, 'nothing is written yet')
  vim.cmd.buffer(store)
  t.wait('the lens of the other file to count the new caller', function()
    return (t.lenses(store)[6] or ''):find('3 callers in 1 file', 1, true)
  end)
  local typed = callers_here(root, 6, 'load')
  t.equal(#typed, 4)
  t.equal(#cli_rows(cli('src/store.rs:6')), 3, 'the disk knows nothing of it')
  vim.cmd('silent wall')
  t.equal(typed, cli_rows(cli('src/store.rs:6')))

  -- And back: an undone caller is gone.
  vim.cmd.edit('src/cart.rs')
  vim.cmd('silent undo')
  vim.cmd.buffer(store)
  t.wait('the lens to count without it', function()
    return (t.lenses(store)[6] or ''):find('2 callers in 1 file', 1, true)
  end)
  t.equal(#callers_here(root, 6, 'load'), 3)
end)

t.case('a change made outside the editor is seen', function()
  fresh()
  local client = t.open('src/store.rs')
  local store = vim.api.nvim_get_current_buf()
  t.wait('the first lens', function()
    return (t.lenses(store)[6] or ''):find('2 callers in 1 file', 1, true)
  end)
  vim.fn.writefile({ 'use crate::store::load;', '', 'pub fn look() -> u32 {', '    load("fig").price', '}' }, 'src/look.rs')
  vim.fn.writefile({ 'pub mod cart;', 'pub mod look;', 'pub mod store;' }, 'src/lib.rs')
  t.wait('the caller in the new file', function()
    return (t.lenses(store)[6] or ''):find('3 callers in 2 files', 1, true)
  end)
  assert(client.initialized)
end)

t.case('running a lens opens its callers', function()
  local root = fresh()
  t.open('src/store.rs')
  local bufnr = vim.api.nvim_get_current_buf()
  t.wait('the lens', function()
    return t.lenses(bufnr)[6]
  end)
  t.cursor(6, 'load')
  vim.lsp.codelens.run()
  t.wait('the callers', function()
    return #vim.fn.getqflist() > 0
  end)
  t.equal(editor_rows(root), cli_rows(cli('src/store.rs:6')))
end)

t.case('the call hierarchy of Neovim itself lists the same callers, under callHierarchy.provider = auto', function()
  fresh()
  t.open('src/store.rs')
  t.cursor(6, 'load')
  vim.lsp.buf.incoming_calls()
  local items = t.wait('the quickfix list', function()
    local items = vim.fn.getqflist()
    return #items > 0 and items
  end)
  -- Neovim 0.11 shows UTF-16 columns as bytes, so lines are compared; our own list above has the bytes.
  local lines = vim.tbl_map(function(item)
    return ('%s:%d'):format(vim.fn.fnamemodify(vim.api.nvim_buf_get_name(item.bufnr), ':t'), item.lnum)
  end, items)
  table.sort(lines)
  t.equal(lines, { 'cart.rs:10', 'cart.rs:10', 'cart.rs:5' })
end)

t.case('explain opens the import a call rests on', function()
  fresh()
  t.open('src/cart.rs')
  t.cursor(5, 'load(')
  vim.cmd('Surefoot explain')
  local places = t.wait('the places', function()
    local items = vim.fn.getloclist(0)
    return #items > 0 and items
  end)
  local texts = vim.tbl_map(function(item)
    return ('%s:%d %s'):format(vim.fn.fnamemodify(vim.api.nvim_buf_get_name(item.bufnr), ':t'), item.lnum, item.text)
  end, places)
  t.matches(texts[1], '^store%.rs:6 target: .*load$')
  assert(vim.list_contains(texts, 'cart.rs:1 import: use crate::store::load;'), vim.inspect(texts))
end)

t.case('the hover over a call says its target, tier and rule', function()
  fresh()
  local client = t.open('src/cart.rs')
  t.cursor(5, 'load(')
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local hover = t.wait('the hover', function()
    local answer = client:request_sync('textDocument/hover', params, t.DEADLINE)
    return answer and answer.result
  end)
  local text = vim.lsp.util.convert_input_to_markdown_lines(hover.contents)
  t.matches(table.concat(text, '\n'):gsub('\\', ''), 'load %[certain: import%]')
end)

t.case('disagreements of nobody are none', function()
  fresh()
  t.open('src/cart.rs')
  vim.cmd('Surefoot disagreements')
  t.wait('a word about it', function()
    return vim.iter(t.said):any(function(words)
      return words:find('says otherwise')
    end)
  end)
  t.equal(#vim.fn.getqflist(), 0)
end)

t.case('a report is written and verified, and one changed byte is named', function()
  local root = fresh()
  t.open('src/store.rs')
  -- Asked for at once: it waits for the folder to be read.
  vim.cmd('Surefoot report')
  t.wait('the report', function()
    return vim.uv.fs_stat(root .. '/surefoot-report.json')
  end)
  t.wait('a word about it', function()
    return (t.said[1] or ''):find('entities')
  end)
  t.equal(vim.fn.readfile(root .. '/surefoot-report.html')[1], '<!doctype html>')
  vim.cmd('Surefoot snapshot base')
  t.wait('the snapshot', function()
    return (t.said[#t.said] or ''):find('%(base%) is kept')
  end)
  vim.cmd('Surefoot verify')
  t.wait('the verdict', function()
    return vim.fn.getqflist({ title = 1 }).title == 'surefoot-report.json: verified'
  end)
  t.equal(#vim.fn.getqflist(), 0)

  local cart = root .. '/src/cart.rs'
  local text = table.concat(vim.fn.readfile(cart, 'b'), '\n')
  vim.fn.writefile(vim.split(text:gsub('"pear"', '"peas"'), '\n'), cart, 'b')
  vim.cmd('Surefoot verify')
  t.wait('the verdict', function()
    return vim.fn.getqflist({ title = 1 }).title == 'surefoot-report.json: NOT verified'
  end)
  t.matches(t.quickfix(root)[1], '^src/cart%.rs:1:1 ')
  vim.cmd('Surefoot diff base')
  t.wait('the comparison', function()
    return vim.fn.getqflist({ title = 1 }).title == 'since base'
  end)
  t.equal(t.quickfix(root), { 'src/cart.rs:1:1 changed since the snapshot' })
end)

t.case('the server ends with the client', function()
  fresh()
  local client = t.open('src/store.rs')
  local pid = client.rpc and vim.api.nvim_get_proc_children(vim.fn.getpid())
  assert(#pid > 0)
  vim.lsp.enable('surefoot', false)
  client:stop()
  t.wait('no process to be left', function()
    return #vim.api.nvim_get_proc_children(vim.fn.getpid()) == 0
  end)
end)

t.finish()
