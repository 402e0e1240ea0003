-- The words of call trees. The word of a tier always stands beside its glyph.

local M = {}

M.GLYPHS = { certain = '●', likely = '◐', possible = '○' }

--- nil for nil and for JSON's null.
function M.some(value)
  if value ~= vim.NIL then
    return value
  end
end

---@param direction 'callers'|'callees'
---@param root table
---@return string
function M.title(direction, root)
  return ('%s of %s'):format(direction == 'callers' and 'Callers' or 'Callees', root.name)
end

---@param symbol table
---@return string
function M.qualified(symbol)
  local container = M.some(symbol.container)
  return container and container ~= '' and ('%s › %s'):format(container, symbol.name) or symbol.name
end

--- `● certain run (app) [use-import] by rust-analyzer 1.85.1`
---@param node table
---@return string
function M.call(node)
  local tier = M.some(node.tier) or 'possible'
  local parts = { M.GLYPHS[tier], tier, M.qualified(node.symbol) }
  if M.some(node.rule) then
    table.insert(parts, ('[%s]'):format(node.rule))
  end
  local resolver = M.some(node.resolver)
  if resolver and resolver ~= 'static' then
    table.insert(parts, 'by ' .. resolver)
  end
  if node.recursion then
    table.insert(parts, '↻ recursion')
  end
  if M.some(node.note) then
    table.insert(parts, '- ' .. node.note)
  end
  return table.concat(parts, ' ')
end

--- A note that only repeats the floor, which has a row of its own, is left out.
---@param node table
---@param tree table
---@return string
function M.unplaced(node, tree)
  local note = M.some(node.note)
  if note == nil or note == M.some(tree.floor) then
    note = 'no edge, not counted'
  end
  return ('? unplaced call named %s - %s'):format(tree.root.name, note)
end

--- `at least 2 callers (+1 possible)`
---@param tree table
---@return string
function M.summary(tree)
  local counted, possible, named = 0, 0, 0
  for _, node in ipairs(tree.nodes) do
    if M.some(node.symbol) then
      if node.named then
        named = named + 1
      elseif node.tier == 'possible' then
        possible = possible + 1
      else
        counted = counted + 1
      end
    end
  end
  local word = tree.direction == 'callers' and 'caller' or 'callee'
  local floor = (M.some(tree.floor) or tree.truncated > 0) and 'at least ' or ''
  local parts = {}
  if possible > 0 then
    table.insert(parts, ('+%d possible'):format(possible))
  end
  if named > 0 then
    table.insert(parts, ('+%d as a value'):format(named))
  end
  local apart = #parts > 0 and (' (%s)'):format(table.concat(parts, ', ')) or ''
  return ('%s%d %s%s%s'):format(floor, counted, word, counted == 1 and '' or 's', apart)
end

return M
