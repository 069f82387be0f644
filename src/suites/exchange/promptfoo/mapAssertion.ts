import { readPlainYaml } from '#agentFile/plainYaml.ts';
import { getField, getFieldText, isRecord } from '#base/records/plainValues.ts';
import { escapeRegExp } from '#base/text/escapeRegExp.ts';
import { type ForeignPlace, getFileReference, type ImportReading } from '../importReading.ts';
import { getModelName } from './readProviders.ts';
import { renderTemplate, UnknownTemplate } from './renderTemplate.ts';
import { splitAtCommas } from './splitAtCommas.ts';
import { mapTrajectory } from './trajectories.ts';

/** A check of a suite file. */
export type MappedCheck = Readonly<Record<string, unknown>>;

/** What assertions of a test refer to. */
interface AssertionContext {
	readonly reading: ImportReading;
	readonly variables: Readonly<Record<string, unknown>>;
	/** Output that is checked. */
	readonly output: string;
	/** Output with the parsed JSON of a model's reply; `undefined` for an agent, whose outputs have types. */
	readonly json: string | undefined;
}

/** An assertion without its negation, with variables filled in. */
interface PlainAssertion {
	readonly kind: string;
	readonly value: unknown;
	readonly threshold: number | undefined;
	readonly fields: Readonly<Record<string, unknown>>;
	readonly isNegated: boolean;
}

/** Kinds that run code or call a URL. */
const codeKinds = ['javascript', 'python', 'ruby', 'webhook'];
const commonFields = ['type', 'value', 'weight', 'metric'];
/** Kinds with a threshold. */
const thresholdKinds = ['latency', 'cost', 'llm-rubric'];

/** Maps an assertion to checks. Lists it and returns none if suites have nothing like it. */
export async function mapAssertion(assertion: unknown, place: ForeignPlace, context: AssertionContext): Promise<readonly MappedCheck[]> {
	const { reading } = context;
	const type = getFieldText(assertion, 'type');
	if (!isRecord(assertion) || type === '') {
		reading.reportType(place, type, reading.t("an object with 'type'"));
		return [];
	}
	const isNegated = type.startsWith('not-');
	const kind = isNegated ? type.slice('not-'.length) : type;
	if (kind === 'assert-set') {
		return mapSet(assertion, place, context);
	}
	if (codeKinds.includes(kind)) {
		reading.reportCode(place, type);
		return [];
	}
	const known = [...commonFields, ...(thresholdKinds.includes(kind) ? ['threshold'] : []), ...(kind === 'llm-rubric' ? ['provider'] : [])];
	if (assertion['transform'] !== undefined) {
		reading.reportCode(place, 'transform');
		return [];
	}
	reading.reportOtherFields(assertion, known, place);
	const value = await readValue(assertion['value'], place.at('value'), context);
	if (value === unread) {
		return [];
	}
	const { threshold, weight, metric } = assertion;
	const checks = mapKind(
		{ kind, value, threshold: typeof threshold === 'number' ? threshold : undefined, fields: assertion, isNegated },
		context,
	);
	if (checks === 'unknown') {
		reading.reportUnknown(place, type);
		return [];
	}
	if (checks === 'invalid') {
		reading.report(place.at('value'), reading.t("'{0}' isn't mapped: suites can't check its value.", type));
		return [];
	}
	return checks.map(({ not, ...check }) => ({
		...(typeof metric === 'string' && metric !== '' && { name: metric }),
		...check,
		...(isNegated !== (not === true) && { not: true }),
		...(typeof weight === 'number' && weight >= 0 && weight !== 1 && { weight }),
	}));
}

/** Maps a set of which all assertions must pass. */
async function mapSet(
	set: Readonly<Record<string, unknown>>,
	place: ForeignPlace,
	context: AssertionContext,
): Promise<readonly MappedCheck[]> {
	const list = getField(set, 'assert');
	context.reading.reportOtherFields(set, ['type', 'assert', 'threshold'], place);
	if (!Array.isArray(list) || set['threshold'] !== undefined) {
		context.reading.reportUnknown(place, 'assert-set');
		return [];
	}
	const checks = [];
	for (const [at, each] of list.entries()) {
		// sets in sets aren't allowed, and would nest without limit
		if (getField(each, 'type') === 'assert-set') {
			context.reading.reportUnknown(place.at('assert', at), 'assert-set');
		} else {
			checks.push(...(await mapAssertion(each, place.at('assert', at), context)));
		}
	}
	return checks;
}

const unread = Symbol('unread');

/** Reads the value of an assertion: the content of a file, or a text or list with variables filled in. */
async function readValue(value: unknown, place: ForeignPlace, { reading, variables }: AssertionContext): Promise<unknown> {
	const reference = getFileReference(value);
	if (reference !== undefined) {
		if (/\.(?:json|ya?ml)$/i.test(reference)) {
			const read = await reading.readYaml(reference, place);
			return read ? read.value : unread;
		}
		return (await reading.readText(reference, place))?.trim() ?? unread;
	}
	try {
		const renderItem = (item: unknown) => {
			const rendered = typeof item === 'string' ? renderTemplate(item, variables) : item;
			// once the limit is exceeded, the test isn't imported
			return typeof rendered !== 'string' || reading.spend(rendered.length) ? rendered : '';
		};
		return Array.isArray(value) ? value.map(renderItem) : renderItem(value);
	} catch (error) {
		if (!(error instanceof UnknownTemplate)) {
			throw error;
		}
		reading.reportUnknown(place, error.part);
		return unread;
	}
}

function mapKind(assertion: PlainAssertion, context: AssertionContext): readonly MappedCheck[] | 'unknown' | 'invalid' {
	const { kind, value, threshold, fields } = assertion;
	const { output } = context;
	const ignoreCase = kind.startsWith('icontains') ? { ignoreCase: true } : {};
	const isText = (typeof value === 'string' && value !== '') || typeof value === 'number';
	switch (kind) {
		case 'equals':
			return mapEquals(value, context);
		case 'contains':
		case 'icontains':
			return isText ? [{ output, contains: String(value), ...ignoreCase }] : 'invalid';
		case 'contains-all':
		case 'icontains-all': {
			const parts = listParts(value);
			return parts.length > 0 ? [{ output, containsAll: parts, ...ignoreCase }] : 'invalid';
		}
		case 'contains-any':
		case 'icontains-any': {
			const parts = listParts(value);
			return parts.length > 0 ? [{ output, matches: parts.map(escapeRegExp).join('|'), ...ignoreCase }] : 'invalid';
		}
		case 'starts-with':
			return typeof value === 'string' && value !== '' ? [{ output, startsWith: value }] : 'invalid';
		case 'ends-with':
			return typeof value === 'string' && value !== '' ? [{ output, endsWith: value }] : 'invalid';
		case 'regex':
			return typeof value === 'string' && isPattern(value) ? [{ output, matches: value }] : 'invalid';
		case 'is-json':
			return mapJson(assertion, context);
		case 'latency':
			return threshold === undefined ? 'invalid' : [{ seconds: { max: threshold / 1000 } }];
		case 'cost':
			return threshold === undefined ? 'invalid' : [{ cost: { max: threshold } }];
		case 'llm-rubric': {
			const model = getModelName(fields['provider']);
			const limit = threshold === undefined || threshold < 0 || threshold > 1 ? {} : { atLeast: threshold };
			return isText ? [{ output, judge: { rubric: String(value), ...(model !== undefined && { model }), ...limit } }] : 'invalid';
		}
		default:
			return mapTrajectory(kind, value, assertion.isNegated);
	}
}

function mapEquals(value: unknown, { output, json }: AssertionContext): readonly MappedCheck[] | 'invalid' {
	if (value === null || value === undefined) {
		return 'invalid';
	}
	return [
		typeof value === 'object' ? { output: json ?? output, equals: value } : { output, equals: json === undefined ? value : String(value) },
	];
}

/** Maps `is-json`. The expression is ours: it contains nothing of the file but the name of the output. */
function mapJson({ value, isNegated }: PlainAssertion, { output }: AssertionContext): readonly MappedCheck[] | 'invalid' {
	const isValid = {
		expression: `(() => { try { JSON.parse(outputs[${JSON.stringify(output)}]); return true; } catch { return false; } })()`,
	};
	if (value === undefined || value === null || value === '') {
		return [isValid];
	}
	const schema = typeof value === 'string' ? parseSchema(value) : value;
	if (!isRecord(schema)) {
		return 'invalid';
	}
	// a text that isn't JSON matches a schema without a type
	const needsValue = typeof schema['type'] !== 'string' || schema['type'] === 'string';
	return isNegated && needsValue ? 'invalid' : [...(needsValue ? [isValid] : []), { output, schema }];
}

function parseSchema(text: string): unknown {
	const { content } = readPlainYaml(text);
	return content;
}

/** Lists the parts of a value: a list, or a text with commas. */
function listParts(value: unknown): readonly string[] {
	if (Array.isArray(value)) {
		return value.every(each => typeof each === 'string' || typeof each === 'number') ? value.map(String) : [];
	}
	return typeof value === 'string' ? splitAtCommas(value) : [];
}

function isPattern(pattern: string): boolean {
	try {
		return pattern !== '' && new RegExp(pattern) instanceof RegExp;
	} catch {
		return false;
	}
}
