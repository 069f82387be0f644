import { Script } from 'node:vm';
import { getNodeValue, type Node } from 'jsonc-parser';
import { isRecord } from '#base/records/plainValues.ts';
import { joinNames } from '#base/text/closestNames.ts';
import type { Translate } from '#base/text/localization.ts';
import { findProperty, getValueRange, listProperties, type TextFault } from '#base/text/textFaults.ts';
import { createExpressionProgram } from '../checks/thread/expressionProgram.ts';
import { parseValuePath } from '../checks/valuePath.ts';
import type { CheckFields, CheckKind, SuiteCheck, SuiteJudge } from '../suite.ts';
import type { SuiteText } from './suiteText.ts';

/** Kinds of checks on a value, selected by `output`, `node` and `inputs`. */
const valueKinds: readonly CheckKind[] = [
	'equals',
	'oneOf',
	'contains',
	'containsAll',
	'startsWith',
	'endsWith',
	'matches',
	'schema',
	'closeTo',
	'similar',
	'rag',
	'snapshot',
	'judge',
];
/** Kinds of checks on a run or one of its nodes. */
const runKinds: readonly CheckKind[] = ['status', 'error', 'seconds', 'tokens', 'cost'];
/** Kinds of checks on the whole run. */
const wholeKinds: readonly CheckKind[] = ['steps', 'nodes', 'tools', 'trajectory', 'expression'];
const kinds: readonly CheckKind[] = [...valueKinds, ...runKinds, ...wholeKinds];

/** Reads a list of checks and finds their problems. `nodes`: IDs of the agent's nodes, if known. `judges`: those of the suite, by name. */
export function readChecks(
	list: Node | undefined,
	text: SuiteText,
	nodes: ReadonlySet<string> | undefined,
	judges: Readonly<Record<string, SuiteJudge>>,
	t: Translate,
): { readonly checks: readonly SuiteCheck[]; readonly faults: readonly TextFault[] } {
	const checks: SuiteCheck[] = [];
	const faults: TextFault[] = [];
	for (const node of list?.children ?? []) {
		const given = getNodeValue(node) as CheckFields;
		const { judge } = given;
		const named = typeof judge === 'string' ? { ...judges[judge], name: judge } : undefined;
		const fields = named ? { ...given, judge: named } : given;
		const found = findFieldFaults(node, fields, nodes, t);
		for (const fault of found) {
			faults.push(fault);
		}
		const kind = kinds.find(each => each in fields);
		if (kind && found.length === 0) {
			checks.push({ fields, kind, place: text.getNodePosition(node) });
		}
	}
	return { checks, faults };
}

function findFieldFaults(node: Node, fields: CheckFields, nodes: ReadonlySet<string> | undefined, t: Translate): TextFault[] {
	const createFault = (field: string | undefined, message: string): TextFault => {
		const at = (field === undefined ? undefined : findProperty(node, field)) ?? node;
		return { code: 'wrong-check', severity: 'error', path: field === undefined ? [] : [field], ...getValueRange(at), message };
	};
	const named = kinds.filter(kind => kind in fields);
	const [kind] = named;
	if (kind === undefined) {
		return [createFault(undefined, t('The check has no expectation. Add one of {0}.', kinds.join(', ')))];
	}
	if (named.length > 1) {
		return [createFault(named[1], t("The check has both '{0}' and '{1}'. Move one of them to a separate check.", kind, named[1]!))];
	}
	const faults: TextFault[] = [];
	if (wholeKinds.includes(kind) || runKinds.includes(kind)) {
		const misplaced = ['output', 'inputs', 'tool', ...(wholeKinds.includes(kind) ? ['node'] : [])].find(name => name in fields);
		if (misplaced) {
			faults.push(createFault(misplaced, t("'{0}' can't be used with '{1}', which checks the run.", misplaced, kind)));
		}
	}
	const needed = ['call', 'argument'].find(name => name in fields && !('tool' in fields));
	if (needed) {
		faults.push(createFault(needed, t("'{0}' can't be used without 'tool'.", needed)));
	}
	const other = 'tool' in fields ? ['output', 'inputs'].find(name => name in fields) : undefined;
	if (other) {
		faults.push(createFault(other, t("The check has both 'tool' and '{0}'. Use only one of them.", other)));
	}
	if (fields['call'] !== undefined && (!Number.isInteger(fields['call']) || fields['call'] === 0)) {
		faults.push(
			createFault('call', t("'call' is {0}. Expected a whole number: 1 is the first call, -1 the last one.", String(fields['call']))),
		);
	}
	if ('inputs' in fields && !('node' in fields)) {
		faults.push(createFault('inputs', t("'inputs' can't be used without 'node'.")));
	} else if ('inputs' in fields && 'output' in fields) {
		faults.push(createFault('inputs', t("The check has both 'inputs' and 'output'. Use only one of them.")));
	}
	for (const name of ['output', 'inputs', 'argument']) {
		const path = fields[name];
		if (typeof path === 'string' && !isTemplate(path) && parseValuePath(path) === undefined) {
			faults.push(createFault(name, t("'{0}' is {1}. Expected a path, for example 'facts.items[0].id'.", name, JSON.stringify(path))));
		}
	}
	if (typeof fields['weight'] === 'number' && fields['weight'] < 0) {
		faults.push(createFault('weight', t("'weight' is {0}. Expected a number of at least 0.", fields['weight'])));
	}
	for (const [at, id] of listNamedNodes(node)) {
		if (nodes && !isTemplate(id) && !nodes.has(id)) {
			const message = t("The agent has no node '{0}'. Expected one of {1}.", id, formatNames(nodes));
			faults.push({ code: 'unknown-node', severity: 'error', path: [], ...getValueRange(at), message });
		}
	}
	const wrong = checkValue(kind, fields[kind], t);
	return wrong ? [...faults, createFault(kind, wrong)] : faults;
}

function checkValue(kind: CheckKind, value: unknown, t: Translate): string | undefined {
	if (typeof value === 'string' && isTemplate(value)) {
		return undefined;
	}
	const parts = listParts(kind);
	if (parts.length > 0 && isRecord(value) && Object.keys(value).length === 0) {
		return t('The check has no expectation. Add one of {0}.', parts.join(', '));
	}
	if (kind === 'matches') {
		const problem = getThrownMessage(() => new RegExp(String(value)));
		return problem && t("'matches' isn't a valid regular expression: {0}", problem);
	}
	if (kind === 'expression') {
		// only compiled here; it runs in the sandbox
		const problem = getThrownMessage(() => new Script(createExpressionProgram(String(value))));
		return problem && t("'expression' isn't valid JavaScript: {0}", problem);
	}
	const atLeast = (kind === 'similar' || kind === 'judge' || kind === 'rag') && (value as { readonly atLeast?: number }).atLeast;
	if (typeof atLeast === 'number' && (atLeast < 0 || atLeast > 1)) {
		return t("'{0}.atLeast' is {1}. Expected a number from 0 to 1.", kind, atLeast);
	}
	if (kind === 'judge' && (value as Partial<SuiteJudge>).rubric === undefined) {
		return t("The suite has no judge '{0}'. Add it to 'judges'.", String((value as SuiteJudge).name));
	}
	if (kind === 'rag') {
		const { metric, relevant = [] } = value as { readonly metric: string; readonly relevant?: readonly string[] };
		return relevant.length === 0 && !['citations', 'grounded'].includes(metric)
			? t("'rag.relevant' is missing. '{0}' needs names of documents, IDs of segments or quotes.", metric)
			: undefined;
	}
	if (kind === 'snapshot' && value !== true) {
		return t("'snapshot' is {0}. Expected true.", JSON.stringify(value));
	}
	return undefined;
}

/** Returns the fields of the kinds that are true for everything without any of them. */
function listParts(kind: CheckKind): readonly string[] {
	switch (kind) {
		case 'nodes':
			return ['ran', 'skipped', 'order'];
		case 'tools':
			return ['called', 'never', 'only', 'order', 'times', 'errors'];
		case 'seconds':
		case 'tokens':
		case 'cost':
		case 'steps':
			return ['min', 'max'];
		default:
			return [];
	}
}

/** Returns the node IDs that a check names, with their positions. */
function listNamedNodes(check: Node): (readonly [Node, string])[] {
	const lists = listProperties(findProperty(check, 'nodes')).flatMap(({ value }) => value?.children ?? []);
	const own = [findProperty(check, 'node'), findProperty(findProperty(check, 'rag'), 'node')].filter(node => node !== undefined);
	return [...own, ...lists].map(node => [node, String(node.value)] as const);
}

/** Maximum number of names listed in a message. */
const mostListed = 12;

/** Formats names for a message. */
export function formatNames(names: ReadonlySet<string>): string {
	const first: string[] = [];
	for (const name of names) {
		if (first.push(name) > mostListed) {
			break;
		}
	}
	return joinNames(first, mostListed);
}

function isTemplate(text: string): boolean {
	return text.includes('{{');
}

function getThrownMessage(make: () => unknown): string | undefined {
	try {
		make();
		return undefined;
	} catch (error) {
		return (error as Error).message;
	}
}
