// Shows JSON Schemas as tables.
import { el, table } from './dom.js';

/** @returns `node`, or the node of `root` to which its `$ref` points */
export function resolve(root, node) {
  if (!node?.$ref) return node ?? {};
  const path = node.$ref.slice(2).split('/');
  return resolve(
    root,
    path.reduce((at, key) => at?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], root),
  );
}

/** @returns a table of the fields of `schema`; nested ones have dotted names */
export function schemaTable(root, schema) {
  const rows = fieldRows(root, resolve(root, schema));
  return rows.length > 0
    ? table(['Field', 'Type', 'Meaning'], rows)
    : el('p', { class: 'note' }, typeText(root, schema));
}

function fieldRows(root, schema, prefix = '', depth = 0) {
  return Object.entries(schema.properties ?? {}).flatMap(([name, given]) => {
    const field = resolve(root, given);
    const items = resolve(root, field.items);
    const path = `${prefix}${name}`;
    const isRequired = schema.required?.includes(name);
    const label = el('code', isRequired ? { class: 'required', title: 'required' } : {}, path);
    const row = [label, typeText(root, given), given.description ?? field.description ?? ''];
    if (depth > 3) return [row];
    const inner = items.properties
      ? fieldRows(root, items, `${path}[].`, depth + 1)
      : fieldRows(root, field, `${path}.`, depth + 1);
    return [row, ...inner];
  });
}

function typeText(root, given) {
  const schema = resolve(root, given);
  const fallback = given?.default ?? schema.default;
  return kindText(root, schema) + (fallback === undefined ? '' : `, default ${JSON.stringify(fallback)}`);
}

function kindText(root, schema) {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.join(', ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return options.map((option) => typeText(root, option)).join(' or ');
  if (schema.items) return `list of ${typeText(root, schema.items)}${range(schema.minItems, schema.maxItems)}`;
  const type = schema.format ?? [schema.type ?? 'anything'].flat().join(' or ');
  return type + range(schema.minimum, schema.maximum) + range(schema.minLength, schema.maxLength, ' characters');
}

function range(min, max, unit = '') {
  if (min === undefined && max === undefined) return '';
  return min === max ? `, exactly ${min}${unit}` : `, ${min ?? ''}…${max ?? ''}${unit}`;
}
