import { type CollectionTag, Document, type ScalarTag, type Tags } from 'yaml';

type Resolve = (text: string) => boolean | number;

/** Creates the tag of a plain scalar, following PyYAML's resolver. */
function createPlainTag(tag: 'bool' | 'int' | 'float', test: RegExp, resolve: Resolve): ScalarTag {
	return {
		tag: `tag:yaml.org,2002:${tag}`,
		default: true,
		test,
		resolve: (text, _, options) => {
			const value = resolve(text);
			return options.intAsBigInt && tag === 'int' && !Number.isSafeInteger(value) ? parseExactInteger(text) : value;
		},
	};
}

/** Sets how values of a tag are written. */
function addStringify(form: ScalarTag, identify: (value: unknown) => boolean): ScalarTag {
	const stringifyValue: ScalarTag['stringify'] = ({ value, source }) => {
		// keep the digits of a copied integer that a number can't represent
		const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
		return isRounded && source !== undefined && Number(source) === value ? source : String(value).replace(/^([-\d]+)e/, '$1.0e');
	};
	return { ...form, identify, stringify: stringifyValue };
}

const toDigits = (text: string) => text.replaceAll('_', '').replace(/^[-+]/, '');
const applySign = (text: string, value: number) => (text.startsWith('-') ? -value : value);
/** Parses digits in base 60: `1:30` is 90. */
const parseSexagesimal = (text: string) =>
	toDigits(text)
		.split(':')
		.reduce((sum, part) => sum * 60 + Number(part), 0);

/** Parses an integer like `readings`, but without rounding. */
function parseExactInteger(text: string): bigint {
	const unsigned = toDigits(text);
	const octal = unsigned.replace(/^0(?=[0-7]+$)/, '0o');
	const value = octal.split(':').reduce((sum, part) => sum * 60n + BigInt(part), 0n);
	return text.startsWith('-') ? -value : value;
}

const readings: readonly ScalarTag[] = [
	addStringify(
		createPlainTag('bool', /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON|no|No|NO|false|False|FALSE|off|Off|OFF)$/, text =>
			/^(?:y|t|on)/i.test(text),
		),
		value => typeof value === 'boolean',
	),
	createPlainTag('int', /^[-+]?0b[01_]+$/, text => applySign(text, Number.parseInt(toDigits(text).slice(2), 2))),
	createPlainTag('int', /^[-+]?0x[\da-fA-F_]+$/, text => applySign(text, Number.parseInt(toDigits(text).slice(2), 16))),
	createPlainTag('int', /^[-+]?0[0-7_]+$/, text => applySign(text, Number.parseInt(toDigits(text), 8))),
	addStringify(
		createPlainTag('int', /^[-+]?(?:0|[1-9][\d_]*)$/, text => applySign(text, Number(toDigits(text)))),
		Number.isInteger,
	),
	createPlainTag('int', /^[-+]?[1-9][\d_]*(?::[0-5]?\d)+$/, text => applySign(text, parseSexagesimal(text))),
	addStringify(
		createPlainTag('float', /^(?:[-+]?\d[\d_]*\.[\d_]*|\.\d[\d_]*)(?:[eE][-+]\d+)?$/, text => applySign(text, Number(toDigits(text)))),
		value => typeof value === 'number',
	),
	createPlainTag('float', /^[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*$/, text => applySign(text, parseSexagesimal(text))),
	createPlainTag('float', /^[-+]?\.(?:inf|Inf|INF)$/, text => applySign(text, Number.POSITIVE_INFINITY)),
	createPlainTag('float', /^\.(?:nan|NaN|NAN)$/, () => Number.NaN),
];

/** Keeps lists of pairs as lists of maps, because `yaml` would create values without ranges. */
const pairLists = ['omap', 'pairs'].map(
	(name): CollectionTag => ({ tag: `tag:yaml.org,2002:${name}`, collection: 'seq', default: false, resolve: list => list }),
);

const replaced = new Set(readings.map(({ tag }) => tag));

/**
 * Options for `yaml` to parse agent files as YAML 1.1 in PyYAML's form, like the hosted service: `yes` and `on` are booleans, `010` is
 * 8, `1:30` is 90, `1e3` is a string, and `<<` merges. (The package's own YAML 1.1 also reads `y` and `n` as booleans.) The package must
 * not log warnings; problems are reported with the file.
 */
export const agentYaml: { readonly merge: true; readonly logLevel: 'error'; readonly customTags: (tags: Tags) => Tags } = {
	merge: true,
	logLevel: 'error',
	customTags: tags => [...tags.filter(tag => typeof tag !== 'object' || !replaced.has(tag.tag)), ...readings, ...pairLists],
};

/** Creates an empty document to write values with. By default, the package would write any string `<<` as a merge key. */
export function createYamlDocument(): Document {
	const document = new Document(undefined, agentYaml);
	const { schema } = document;
	schema.tags = schema.tags.map(tag =>
		tag.tag === 'tag:yaml.org,2002:merge' ? { ...tag, identify: (value: unknown) => typeof value === 'symbol' } : tag,
	) as typeof schema.tags;
	return document;
}
