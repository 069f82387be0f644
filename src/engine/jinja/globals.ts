import { TakesLonger } from './budget.ts';
import { pickCycledValue } from './loop.ts';
import { bindArguments } from './signature.ts';
import { TemplateError } from './templateError.ts';
import { requireInteger } from './values/numbers.ts';
import { type Arguments, Callable, Dict, listItems, Members, toDictKey, Undefined, type Value } from './values/values.ts';

/** Maximum number of items of one `range`, as in Jinja's sandbox. */
const maxRange = 100_000;
/** Maximum number of paragraphs and words of `lipsum`. */
const maxWords = 10_000;

/**
 * Returns the functions available in every template.
 * @param longest maximum number of items of a `range` outside a thread; undefined in a thread
 */
export function createGlobals(longest: number | undefined): ReadonlyMap<string, Value> {
	const functions: readonly (readonly [string, (args: Arguments) => Value, boolean?])[] = [
		['range', args => createRange(args, longest), true],
		['dict', ({ positional: [first], named }) => new Dict([...(first === undefined ? [] : listEntries(first)), ...named]), true],
		['namespace', createNamespace, true],
		['cycler', createCycler],
		['joiner', createJoiner],
		['lipsum', generateLipsum],
	];
	return new Map(functions.map(([name, call, quick]) => [name, new Callable(name, call, quick)]));
}

/** Returns the entries to create a dict from: those of another dict, or a list of pairs. */
export function listEntries(value: Value): readonly (readonly [Value, Value])[] {
	if (value instanceof Dict) {
		return [...value];
	}
	return listItems(value).map(pair => {
		const [key, item, ...rest] = listItems(pair);
		if (key === undefined || item === undefined || rest.length > 0) {
			throw new TemplateError('a dict needs pairs of a key and a value');
		}
		return [toDictKey(key), item];
	});
}

function createRange({ positional }: Arguments, longest: number | undefined): Value {
	if (positional.length === 0 || positional.length > 3) {
		throw new TemplateError(`range() takes 1 to 3 numbers, got ${positional.length}`);
	}
	const [first = 0, last, step = 1] = positional.map(each => requireInteger(each, 'range'));
	const [start, stop] = last === undefined ? [0, first] : [first, last];
	if (step === 0) {
		throw new TemplateError('range() arg 3 must not be zero');
	}
	const length = Math.max(0, Math.ceil((stop - start) / step));
	if (length > maxRange) {
		throw new TemplateError(`Range too big. The sandbox blocks ranges larger than MAX_RANGE (${maxRange}).`);
	}
	if (longest !== undefined && length > longest) {
		throw new TakesLonger();
	}
	return Array.from({ length }, (_, index) => start + index * step);
}

function createNamespace({ positional: [first], named }: Arguments): Value {
	const members = new Dict([...(first === undefined ? [] : listEntries(first)), ...named]);
	return new Members('Namespace', name => members.get(name), { set: (name, value) => members.set(name, value) });
}

function createCycler({ positional }: Arguments): Value {
	let index = 0;
	pickCycledValue(positional, index);
	const functions: Readonly<Record<string, () => Value>> = {
		next: () => pickCycledValue(positional, index++),
		reset: () => {
			index = 0;
			return null;
		},
	};
	return new Members('Cycler', name => {
		const call = Object.hasOwn(functions, name) ? functions[name] : undefined;
		return name === 'current' ? pickCycledValue(positional, index) : call && new Callable(`cycler.${name}`, call);
	});
}

/** Creates a function that returns an empty string on its first call and the separator on later calls. */
function createJoiner({ positional, named }: Arguments): Value {
	const [between] = bindArguments('joiner', { sep: ', ' }, { positional, named });
	let isUsed = false;
	return new Callable('joiner', () => {
		const text = isUsed ? (between as Value) : '';
		isUsed = true;
		return text;
	});
}

const words = `a ac accumsan ad adipiscing aenean aliquam amet ante arcu at auctor augue bibendum blandit commodo condimentum consectetuer
	consequat cras cubilia curabitur dapibus diam dictum dolor donec dui egestas elit enim erat eros est et etiam eu euismod felis fermentum
	fusce gravida habitant hendrerit iaculis id in integer ipsum justo lacinia laoreet lectus leo libero ligula lorem luctus maecenas magna
	massa mattis mauris metus mi molestie morbi nam nec neque nibh nisi nulla nunc odio orci ornare pede porta posuere pretium primis quam quis
	risus rutrum sapien sed sem semper sit sociis sodales suscipit tellus tempor tortor tristique turpis ultrices urna ut varius vel velit vitae
	vivamus viverra volutpat vulputate`.split(/\s+/);

/** Generates paragraphs of random words. */
function generateLipsum(args: Arguments): Value {
	const [n, html, min, max] = bindArguments('lipsum', { n: 5, html: true, min: 20, max: 100 }, args);
	const [paragraphs, least, most] = [n, min, max].map(each =>
		Math.min(Math.max(0, requireInteger(each ?? new Undefined(), 'lipsum')), maxWords),
	);
	const generateParagraph = () => {
		const count = (least ?? 0) + Math.floor(Math.random() * Math.max(1, (most ?? 0) - (least ?? 0)));
		const text = Array.from({ length: count }, () => words[Math.floor(Math.random() * words.length)]).join(' ');
		return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
	};
	const texts = Array.from({ length: Math.min(paragraphs ?? 0, 100) }, generateParagraph);
	return html === false ? texts.join('\n\n') : texts.map(text => `<p>${text}</p>`).join('\n');
}
