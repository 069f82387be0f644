import { isEmpty } from '../variables/comparison.ts';
import { pythonStr } from '../variables/pythonText.ts';
import { jsonText } from './jsonText.ts';
import { fromValue, listValue, printed, type RuntimeValue, toValue } from './runtimeValues.ts';
import { simpleTests, testsWithValue } from './tests.ts';

/** Arguments of a filter as plain values. */
interface FilterArguments {
	readonly positional: readonly unknown[];
	readonly named: Readonly<Record<string, unknown>>;
}

/** Gives the filtered value as a plain one; `undefined` leaves it to the library. */
export type Filter = (value: RuntimeValue, args: FilterArguments) => unknown;

/** Filters of Jinja that agent files use and the library has not. */
export const filters: ReadonlyMap<string, Filter> = new Map<string, Filter>([
	['e', value => escapeHtml(printed(value))],
	['escape', value => escapeHtml(printed(value))],
	['forceescape', value => escapeHtml(printed(value))],
	['format', (value, args) => formatted(printed(value), args.positional)],
	['round', round],
	['abs', value => Math.abs(number(value))],
	['wordcount', value => (printed(value).match(/[\p{L}\p{N}_]+/gu) ?? []).length],
	['truncate', truncate],
	['center', center],
	['batch', batch],
	['sum', sum],
	['max', value => extreme(list(value), (a, b) => a > b)],
	['min', value => extreme(list(value), (a, b) => a < b)],
	[
		'striptags',
		value =>
			printed(value)
				.replace(/<[^<>]*>/g, '')
				.replace(/\s+/g, ' ')
				.trim(),
	],
	[
		'urlencode',
		value =>
			encodeURIComponent(printed(value))
				.replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
				.replaceAll('%2F', '/'),
	],
	['string', value => printed(value)],
	['map', mapFilter],
	['join', join],
	['first', value => items(value)[0]],
	['last', value => items(value).at(-1)],
	['reverse', value => (value.type === 'StringValue' ? [...printed(value)].reverse().join('') : [...items(value)].reverse())],
	['slice', slice],
	['groupby', groupBy],
	['wordwrap', wordWrap],
	['filesizeformat', value => fileSize(number(value))],
	['select', (value, args) => picked(value, args, true, false)],
	['reject', (value, args) => picked(value, args, false, false)],
	['selectattr', (value, args) => picked(value, args, true, true)],
	['rejectattr', (value, args) => picked(value, args, false, true)],
]);

/** Filters that see values as the template has them: tuples, and fractions without digits behind their point. */
export const valueFilters: ReadonlyMap<string, (value: RuntimeValue, args: FilterArguments) => RuntimeValue> = new Map([
	[
		'tojson',
		(value, { positional, named }) => {
			const indent = positional[0] ?? named['indent'];
			return fromValue(jsonText(value, indent === undefined || indent === null ? undefined : Number(indent)));
		},
	],
	['list', value => (Array.isArray(value.value) ? listValue(value.value as RuntimeValue[]) : fromValue(items(value)))],
]);

/** `map('upper')`; `map(attribute='x')` is the library's. */
function mapFilter(value: RuntimeValue, args: FilterArguments): unknown {
	const [name] = args.positional;
	if (typeof name !== 'string') {
		return undefined;
	}
	const simple: Record<string, (text: string) => unknown> = {
		upper: text => text.toUpperCase(),
		lower: text => text.toLowerCase(),
		trim: text => text.trim(),
		title: text => text.replace(/[\p{L}\p{N}']+/gu, word => word.slice(0, 1).toUpperCase() + word.slice(1).toLowerCase()),
		capitalize: text => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase(),
		string: text => text,
		length: text => [...text].length,
		int: text => Math.trunc(Number.parseFloat(text)) || 0,
		float: text => Number.parseFloat(text) || 0,
	};
	const apply = simple[name];
	return apply ? list(value).map(item => apply(pythonStr(item))) : undefined;
}

/** Items that a test holds for, or does not; of themselves, or of one of their attributes. */
function picked(value: RuntimeValue, { positional }: FilterArguments, wanted: boolean, byAttribute: boolean): unknown {
	const [attribute, test, other] = byAttribute ? positional : [undefined, ...positional];
	const holds = (item: unknown): boolean => {
		if (test === undefined) {
			return !isEmpty(item);
		}
		const simple = simpleTests.get(String(test));
		const compare = testsWithValue.get(String(test));
		if (!simple && !compare) {
			throw new Error(`there is no test "${test}"`);
		}
		return simple ? simple(item) : (compare?.(item, other) ?? false);
	};
	return list(value).filter(item => holds(byAttribute ? attributeOf(item, String(attribute)) : item) === wanted);
}

function join(value: RuntimeValue, { positional, named }: FilterArguments): unknown {
	const attribute = named['attribute'] ?? positional[1];
	const texts = items(value).map(item => pythonStr(attribute === undefined ? item : attributeOf(item, String(attribute))));
	return texts.join(String(positional[0] ?? named['d'] ?? ''));
}

function groupBy(value: RuntimeValue, { positional, named }: FilterArguments): unknown {
	const attribute = String(positional[0] ?? named['attribute']);
	const groups = Map.groupBy(list(value), item => attributeOf(item, attribute));
	return [...groups].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)).map(([grouper, items]) => ({ grouper, list: items }));
}

function slice(value: RuntimeValue, { positional }: FilterArguments): unknown {
	const all = list(value);
	const count = Math.max(1, Math.trunc(Number(positional[0])));
	const size = Math.floor(all.length / count);
	const longer = all.length % count;
	return Array.from({ length: Math.min(count, 10_000) }, (_, index) => {
		const from = index * size + Math.min(index, longer);
		return all.slice(from, from + size + (index < longer ? 1 : 0));
	});
}

function wordWrap(value: RuntimeValue, { positional, named }: FilterArguments): unknown {
	const width = Math.max(1, Number(positional[0] ?? named['width'] ?? 79));
	const pieces: string[] = [];
	let column = 0;
	for (const [index, line] of printed(value).split('\n').entries()) {
		if (index > 0) {
			pieces.push('\n');
		}
		column = 0;
		for (const word of line.split(' ')) {
			// nothing stands in the line yet, not even an empty word
			if (column > 0) {
				const fits = column + 1 + word.length <= width;
				pieces.push(fits ? ' ' : '\n');
				column = fits ? column + 1 : 0;
			}
			pieces.push(word);
			column += word.length;
		}
	}
	return pieces.join('');
}

function fileSize(bytes: number): string {
	const units = ['Bytes', 'kB', 'MB', 'GB', 'TB'];
	const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1);
	return power === 0 ? `${bytes} Bytes` : `${(bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

function attributeOf(item: unknown, path: string): unknown {
	return path
		.split('.')
		.reduce<unknown>(
			(value, key) =>
				typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined,
			item,
		);
}

function round(value: RuntimeValue, args: FilterArguments): unknown {
	const digits = Number(args.positional[0] ?? args.named['precision'] ?? 0);
	const method = String(args.positional[1] ?? args.named['method'] ?? 'common');
	const factor = 10 ** digits;
	const scaled = number(value) * factor;
	const whole = method === 'ceil' ? Math.ceil(scaled) : method === 'floor' ? Math.floor(scaled) : roundHalfEven(scaled);
	return whole / factor;
}

/** As Python rounds: 2.5 becomes 2. */
function roundHalfEven(value: number): number {
	const floor = Math.floor(value);
	const rest = value - floor;
	return rest > 0.5 || (rest === 0.5 && floor % 2 !== 0) ? floor + 1 : floor;
}

function truncate(value: RuntimeValue, args: FilterArguments): unknown {
	const text = [...printed(value)];
	const length = Number(args.positional[0] ?? args.named['length'] ?? 255);
	const killWords = Boolean(args.positional[1] ?? args.named['killwords']);
	const ending = String(args.positional[2] ?? args.named['end'] ?? '...');
	const leeway = Number(args.positional[3] ?? args.named['leeway'] ?? 5);
	if (text.length <= length + leeway) {
		return text.join('');
	}
	const cut = text.slice(0, Math.max(0, length - ending.length)).join('');
	const lastBlank = cut.lastIndexOf(' ');
	return (killWords || lastBlank < 0 ? cut : cut.slice(0, lastBlank)) + ending;
}

function center(value: RuntimeValue, args: FilterArguments): unknown {
	const text = printed(value);
	const missing = Math.max(0, Math.min(10_000, Number(args.positional[0] ?? args.named['width'] ?? 80)) - text.length);
	return text.padStart(text.length + Math.floor(missing / 2)).padEnd(text.length + missing);
}

function batch(value: RuntimeValue, args: FilterArguments): unknown {
	const size = Math.max(1, Math.trunc(Number(args.positional[0] ?? args.named['linecount'] ?? 1)));
	const items = list(value);
	return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}

function sum(value: RuntimeValue, args: FilterArguments): unknown {
	const attribute = args.named['attribute'] ?? args.positional[0];
	const start = Number(args.named['start'] ?? 0);
	return list(value)
		.map(item => (typeof attribute === 'string' ? (item as Record<string, unknown> | null)?.[attribute] : item))
		.reduce<number>((total, item) => total + Number(item), start);
}

function extreme(items: readonly unknown[], better: (a: number | string, b: number | string) => boolean): unknown {
	const comparable = items as readonly (number | string)[];
	return (
		comparable.reduce<number | string | undefined>((best, item) => (best === undefined || better(item, best) ? item : best), undefined) ??
		null
	);
}

/** `%s`, `%d`, `%f`, `%x` and `%%` with flags, width and precision, as Python's `%` fills them. */
export function formatted(text: string, values: readonly unknown[]): string {
	let next = 0;
	return text.replace(
		/%([-+0 ]*)([1-9]\d*)?(?:\.(\d+))?([sdifxXr%])/g,
		(_, flags: string, width: string | undefined, precision: string | undefined, kind: string) => {
			if (kind === '%') {
				return '%';
			}
			const value = values[next++];
			let filled = filledField(kind, value, precision);
			if (flags.includes('+') && kind !== 's' && Number(value) >= 0) {
				filled = `+${filled}`;
			}
			const size = Math.min(Number(width ?? 0), 10_000);
			return flags.includes('-') ? filled.padEnd(size) : filled.padStart(size, flags.includes('0') && kind !== 's' ? '0' : ' ');
		},
	);
}

function filledField(kind: string, value: unknown, precision: string | undefined): string {
	switch (kind) {
		case 'd':
		case 'i':
			return String(Math.trunc(Number(value)));
		case 'f':
			return Number(value).toFixed(Math.min(Number(precision ?? 6), 100));
		case 'x':
			return Math.trunc(Number(value)).toString(16);
		case 'X':
			return Math.trunc(Number(value)).toString(16).toUpperCase();
		default:
			return precision === undefined ? pythonStr(value) : pythonStr(value).slice(0, Number(precision));
	}
}

function escapeHtml(text: string): string {
	const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&#34;', "'": '&#39;' };
	return text.replace(/[&<>"']/g, character => names[character] as string);
}

/** Items of a list, characters of a text, keys of an object. */
function items(value: RuntimeValue): readonly unknown[] {
	const plain = toValue(value);
	return typeof plain === 'string' ? [...plain] : Array.isArray(plain) ? plain : Object.keys(plain ?? {});
}

function list(value: RuntimeValue): readonly unknown[] {
	const plain = toValue(value);
	if (!Array.isArray(plain)) {
		throw new Error('a list was expected');
	}
	return plain;
}

function number(value: RuntimeValue): number {
	const plain = Number(toValue(value));
	if (Number.isNaN(plain)) {
		throw new Error('a number was expected');
	}
	return plain;
}
