import { Float, formatFloat } from '../../variables/float.ts';
import { toPythonRepr } from '../../variables/pythonText.ts';
import { Callable, Dict, Members, Tuple, Undefined, type Value } from './values.ts';

/** Converts a value to the text that `{{ … }}` prints: empty if undefined, `None` for null. */
export function toPrintedText(value: Value): string {
	return typeof value === 'string' ? value : value instanceof Undefined ? '' : toReprText(value);
}

/** Returns a value's representation inside a printed list. */
export function toReprText(value: Value): string {
	switch (typeof value) {
		case 'string':
			return toPythonRepr(value);
		case 'boolean':
			return value ? 'True' : 'False';
		case 'bigint':
			return String(value);
		case 'number':
			return Number.isInteger(value) ? (Math.abs(value) < 1e21 ? String(value) : String(BigInt(value))) : formatFloat(value);
	}
	if (value === null) {
		return 'None';
	}
	if (value instanceof Float) {
		return formatFloat(value.value);
	}
	if (value instanceof Tuple) {
		const items = Array.from(value, toReprText);
		return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
	}
	if (Array.isArray(value)) {
		return `[${value.map(toReprText).join(', ')}]`;
	}
	if (value instanceof Dict) {
		return `{${[...value].map(([key, item]) => `${toReprText(key)}: ${toReprText(item)}`).join(', ')}}`;
	}
	if (value instanceof Callable) {
		return `<function ${value.name}>`;
	}
	return value instanceof Members ? `<${value.kind}>` : 'Undefined';
}
