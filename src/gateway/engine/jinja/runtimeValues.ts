import { Environment, Interpreter, parse, tokenize } from '@huggingface/jinja';
import { pythonRepr, pythonStr } from '../variables/pythonText.ts';

/** A value inside of a template; the library keeps whole numbers and fractions apart, and null and undefined. */
export type RuntimeValue = ReturnType<Interpreter['evaluate']>;

/** Makes a template's value of a plain one. */
export function fromValue(value: unknown): RuntimeValue {
	// the library exports no constructors of its values; an environment converts what it is given
	return new Environment().set('value', value);
}

/** A fraction, also one without digits behind its point; a plain number would become a whole one. */
export function floatValue(value: number): RuntimeValue {
	const FloatValue = fromValue(0.5).constructor as new (value: number) => RuntimeValue;
	return new FloatValue(value);
}

/** A list or a tuple, as `model` is, of values of a template. */
export function listLike(model: RuntimeValue, items: readonly RuntimeValue[]): RuntimeValue {
	const List = model.constructor as new (items: readonly RuntimeValue[]) => RuntimeValue;
	return new List(items);
}

export function listValue(items: readonly RuntimeValue[]): RuntimeValue {
	return listLike(fromValue([]), items);
}

/** A pair, which Python prints in round brackets. */
export function pairValue(first: RuntimeValue, second: RuntimeValue): RuntimeValue {
	return listLike(aTuple, [first, second]);
}

const aTuple = new Interpreter(new Environment()).evaluate(
	parse(tokenize('{{ (1, 2) }}')).body[0] as Parameters<Interpreter['evaluate']>[0],
	new Environment(),
);

export function textValue(text: string): RuntimeValue {
	return fromValue(text);
}

/** The plain value: objects become records, undefined stays. */
export function toValue(value: RuntimeValue): unknown {
	switch (value.type) {
		case 'ArrayValue':
		case 'TupleValue':
			return (value.value as RuntimeValue[]).map(toValue);
		case 'ObjectValue':
		case 'KeywordArgumentsValue':
		case 'NamespaceValue':
			return Object.fromEntries([...(value.value as Map<string, RuntimeValue>)].map(([key, item]) => [key, toValue(item)]));
		case 'FunctionValue':
			return undefined;
		default:
			return value.value;
	}
}

/** What `{{ … }}` prints. An undefined variable prints nothing, null prints `None`. */
export function printed(value: RuntimeValue): string {
	if (value.type === 'UndefinedValue') {
		return '';
	}
	if (value.type === 'FloatValue') {
		return floatText(value.value as number);
	}
	return value.type === 'ArrayValue' || value.type === 'TupleValue' || value.type === 'ObjectValue'
		? repr(value)
		: pythonStr(toValue(value));
}

function repr(value: RuntimeValue): string {
	switch (value.type) {
		case 'ArrayValue':
			return `[${(value.value as RuntimeValue[]).map(repr).join(', ')}]`;
		case 'TupleValue': {
			const items = (value.value as RuntimeValue[]).map(repr);
			return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
		}
		case 'ObjectValue':
			return `{${[...(value.value as Map<string, RuntimeValue>)].map(([key, item]) => `${pythonRepr(key)}: ${repr(item)}`).join(', ')}}`;
		case 'FloatValue':
			return floatText(value.value as number);
		default:
			return pythonRepr(toValue(value));
	}
}

function floatText(value: number): string {
	return Number.isInteger(value) && Math.abs(value) < 1e16 ? `${value}.0` : pythonStr(value);
}
