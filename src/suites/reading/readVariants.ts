import { getNodeValue, type Node } from 'jsonc-parser';
import type { Translate } from '#base/text/localization.ts';
import { findProperty, listProperties } from '#base/text/textFaults.ts';
import type { SuiteCase, SuiteMatrix, SuiteTarget, SuiteVariant } from '../suite.ts';
import { everyNode, splitPromptKey } from '../variants/applyVariant.ts';
import { formatNames } from './readChecks.ts';

/** Reports a problem of the suite at a node. */
type ReportVariantFault = (at: Node, code: 'wrong-value' | 'double-name' | 'unknown-node' | 'unknown-field', message: string) => void;

const axes = ['agent', 'models', 'parameters', 'prompts'] as const;
const unchanged = { agent: 'current', models: {}, parameters: {}, prompts: {} };
/** Maximum number of variants of a suite. */
export const mostVariants = 64;

/** One choice of an axis, or a whole variant. */
interface Choice {
	readonly name: string;
	readonly labels: Readonly<Record<string, string>>;
	readonly fields: Partial<Omit<SuiteVariant, 'name'>>;
}

/**
 * Reads the variants of a suite: the product of the axes of `matrix`, or the list `variants`.
 *
 * @param suite the suite's target and cases, which must all run the same
 * @param nodes IDs of the agent's nodes, if known
 */
export function readVariants(
	root: Node,
	suite: { readonly target: SuiteTarget | undefined; readonly cases: readonly Pick<SuiteCase, 'target'>[] },
	nodes: ReadonlySet<string> | undefined,
	report: ReportVariantFault,
	t: Translate,
): SuiteMatrix | undefined {
	const [matrix, list] = [findProperty(root, 'matrix'), findProperty(root, 'variants')];
	const at = matrix ?? list;
	if (!at) {
		return undefined;
	}
	if (matrix && list) {
		report(list, 'unknown-field', t("The suite has both 'matrix' and 'variants'. Use only one of them."));
	}
	const target = findCommonTarget(suite);
	if (!target) {
		report(at, 'wrong-value', t('All test cases of a suite with variants must run the same agent.'));
		return undefined;
	}
	const choices = matrix ? multiplyAxes(matrix) : listVariants(list);
	if (choices.length < 2 || choices.length > mostVariants) {
		report(at, 'wrong-value', t('The number of variants is {0}. Expected from 2 to {1}.', choices.length, mostVariants));
	}
	const names = new Set<string>();
	for (const { name } of choices) {
		if (names.has(name)) {
			report(at, 'double-name', t("Two variants are named '{0}'.", name));
		}
		names.add(name);
	}
	const variants = choices.map(({ name, fields }): SuiteVariant => ({ name, ...unchanged, ...fields }));
	checkNodeNames(at, variants, nodes, report, t);
	return { variants, target, baseline: readBaseline(root, names, report, t) };
}

/** Returns what all cases run; `undefined` if they run different agents. */
function findCommonTarget({ target, cases }: Parameters<typeof readVariants>[1]): SuiteTarget | undefined {
	const first = target ?? cases[0]?.target;
	return first && cases.every(each => each.target.kind === first.kind && each.target.model === first.model) ? first : undefined;
}

function readBaseline(root: Node, names: ReadonlySet<string>, report: ReportVariantFault, t: Translate): SuiteMatrix['baseline'] {
	const node = findProperty(root, 'baseline');
	if (node && !names.has(node.value)) {
		report(node, 'wrong-value', t("No variant is named '{0}'. Expected one of {1}.", node.value, formatNames(names)));
	}
	return node?.value ?? [...names][0] ?? '';
}

function listVariants(list: Node | undefined): readonly Choice[] {
	return (list?.children ?? []).map(node => {
		const { name, ...fields } = getNodeValue(node) as SuiteVariant;
		return { name, labels: {}, fields };
	});
}

/** Combines the choices of all axes, in the order of the file. Excluded combinations are skipped early, so that few are ever made. */
function multiplyAxes(matrix: Node): readonly Choice[] {
	const exclude = findProperty(matrix, 'exclude');
	const excluded = exclude ? (getNodeValue(exclude) as readonly Choice['labels'][]) : [];
	const excludedKeys = new Set(excluded.filter(each => Object.keys(each).length > 0).map(getLabelsKey));
	const isExcluded = ({ labels }: Choice) => listSubsets(labels).some(each => excludedKeys.has(getLabelsKey(each)));
	const used = listProperties(matrix).filter(({ name }) => (axes as readonly string[]).includes(name));
	return used.reduce<readonly Choice[]>(
		(choices, { name: axis, value }) => {
			const own = listProperties(value).map(each => ({ label: each.name, value: each.value && (getNodeValue(each.value) as unknown) }));
			return choices
				.slice(0, mostVariants + 1)
				.flatMap(({ name, labels, fields }) =>
					own.slice(0, mostVariants + 1).map(each => ({
						name: name === '' ? each.label : `${name}/${each.label}`,
						labels: { ...labels, [axis]: each.label },
						fields: { ...fields, [axis]: each.value },
					})),
				)
				.filter(choice => !isExcluded(choice));
		},
		[{ name: '', labels: {}, fields: {} }],
	);
}

function getLabelsKey(labels: Choice['labels']): string {
	return JSON.stringify(Object.entries(labels).sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** Returns all subsets of labels: looking them up takes the same time for any number of exclusions. */
function listSubsets(labels: Choice['labels']): readonly Choice['labels'][] {
	return Object.entries(labels).reduce<readonly Choice['labels'][]>(
		(subsets, [axis, label]) => subsets.flatMap(each => [each, { ...each, [axis]: label }]),
		[{}],
	);
}

/** Reports nodes that the current agent doesn't have. Other versions are checked when they are read. */
function checkNodeNames(
	at: Node,
	variants: readonly SuiteVariant[],
	nodes: ReadonlySet<string> | undefined,
	report: ReportVariantFault,
	t: Translate,
): void {
	const reported = new Set<string>();
	for (const { agent, models, parameters, prompts } of nodes ? variants : []) {
		const named = [...Object.keys(models), ...Object.keys(parameters), ...Object.keys(prompts).map(key => splitPromptKey(key).node)];
		for (const id of agent === 'current' ? named : []) {
			if (id !== everyNode && !nodes!.has(id) && !reported.has(id)) {
				reported.add(id);
				report(at, 'unknown-node', t("The agent has no node '{0}'. Expected one of {1}.", id, formatNames(nodes!)));
			}
		}
	}
}
