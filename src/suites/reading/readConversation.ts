import { getNodeValue, type Node } from 'jsonc-parser';
import { findProperty, getValueRange } from '#base/text/textFaults.ts';
import type { FormAnswersByNode, SimulatedReply, SuiteCase, SuiteSimulation, SuiteTarget } from '../suite.ts';
import { readChecks } from './readChecks.ts';
import type { SuiteReading } from './readContext.ts';
import { createObjectNode, createRequestNode } from './requestNodes.ts';
import type { SuiteText } from './suiteText.ts';

const defaultTurns = 10;
const mostTurns = 50;

/** Fields of `simulate`. */
interface SimulationFields {
	readonly persona?: string;
	readonly goal?: string;
	readonly model?: string;
	readonly replies?: readonly SimulatedReply[];
	readonly max_turns?: number;
	readonly cost?: number;
	readonly tokens?: number;
	readonly seconds?: number;
}

/** Reports a problem of a field of the case. */
type ReportFault = (at: Node, field: string, message: string) => void;

/**
 * Reads the request, turns, simulated user and form answers of a case. Reports a problem if the agent has no conversations.
 *
 * @param defaults those of the suite
 */
export function readConversation(
	node: Node,
	defaults: Node | undefined,
	target: SuiteTarget,
	nodes: ReadonlySet<string> | undefined,
	text: SuiteText,
	reading: SuiteReading,
): Pick<SuiteCase, 'turns' | 'onTurnFailure' | 'simulation' | 'forms'> & { readonly request: Node } {
	const request = createRequestNode(node, defaults, node);
	const forms = readForms(node);
	const common = { request, ...(forms && { forms }) };
	const reportFault: ReportFault = (at, field, message) =>
		reading.reportFaults(text, { code: 'unknown-field', severity: 'error', path: [field], ...getValueRange(at), message });
	const readOwnChecks = (list: Node | undefined) => {
		const { checks, faults } = readChecks(list, text, nodes, reading.judges, reading.context.t);
		reading.reportFaultList(text, faults);
		return checks;
	};
	const [turns, simulate] = [findProperty(node, 'turns'), findProperty(node, 'simulate')];
	if (turns) {
		checkConversationField(turns, 'turns', ['query', 'attacks', 'simulate'], { node, target, reading, reportFault });
		const read = (turns.children ?? []).map(turn => ({
			place: text.getNodePosition(turn),
			request: createRequestNode(turn, request, turn),
			checks: readOwnChecks(findProperty(turn, 'expect')),
			forms: { ...forms, ...readForms(turn) },
		}));
		const onTurnFailure = (findProperty(node, 'on_turn_failure')?.value as SuiteCase['onTurnFailure']) ?? 'stop';
		return { request: read[0]?.request ?? request, turns: read, onTurnFailure };
	}
	if (simulate) {
		checkConversationField(simulate, 'simulate', ['query', 'attacks'], { node, target, reading, reportFault });
		const stop = readOwnChecks(findProperty(simulate, 'stop'));
		const simulation = readSimulation(simulate, stop, reportFault, reading.context.t);
		const opening = findProperty(simulate, 'opening');
		const first = opening ? createRequestNode(node, request, createObjectNode(node, [['query', opening]])) : request;
		return { ...common, request: first, simulation };
	}
	return common;
}

interface ConversationContext {
	readonly node: Node;
	readonly target: SuiteTarget;
	readonly reading: SuiteReading;
	readonly reportFault: ReportFault;
}

/** Reports a field that the agent or another field of the case rules out. */
function checkConversationField(
	at: Node,
	field: 'turns' | 'simulate',
	others: readonly string[],
	{ node, target, reading, reportFault }: ConversationContext,
): void {
	const { t } = reading.context;
	const agent = target.kind === 'agent' ? reading.findAgent(target.model) : undefined;
	if (target.kind === 'chat' || (agent && !/chat/.test(agent.mode))) {
		reportFault(at, field, t("'{0}' can't be used here: '{1}' has no conversations.", field, target.model));
	}
	const other = others.find(name => findProperty(node, name));
	if (other !== undefined) {
		reportFault(at, field, t("The test case has both '{0}' and '{1}'. Use only one of them.", field, other));
	}
}

function readSimulation(
	node: Node,
	stop: SuiteSimulation['stop'],
	reportFault: ReportFault,
	t: SuiteReading['context']['t'],
): SuiteSimulation {
	const { persona, goal, model, replies, max_turns: turns = defaultTurns, ...caps } = getNodeValue(node) as SimulationFields;
	const { cost, tokens, seconds } = caps;
	const report = (at: Node | undefined, message: string) => reportFault(at ?? node, 'simulate', message);
	if (!Number.isInteger(turns) || turns > mostTurns) {
		report(findProperty(node, 'max_turns'), t("'max_turns' must be a whole number from 1 to {0}.", mostTurns));
	}
	if (replies) {
		const other = ['goal', 'persona', 'model'].find(name => findProperty(node, name));
		if (other !== undefined) {
			report(findProperty(node, other), t("'simulate' has both 'replies' and '{0}'. Use only one of them.", other));
		}
		if (!findProperty(node, 'opening')) {
			report(undefined, t("'simulate.opening' is missing. It's the first message of a user with 'replies'."));
		}
	} else if (goal === undefined) {
		report(undefined, t("'simulate' needs a 'goal' for a model that plays the user, or 'replies'."));
	}
	const unusable = stop.find(({ kind }) => kind === 'judge' || kind === 'snapshot');
	if (unusable) {
		report(findProperty(node, 'stop'), t("'{0}' can't be used in 'stop'.", unusable.kind));
	}
	return {
		...(persona !== undefined && { persona }),
		...(goal !== undefined && { goal }),
		...(model !== undefined && { model }),
		...(replies && { replies }),
		limits: {
			turns,
			...(cost !== undefined && { cost }),
			...(tokens !== undefined && { tokens }),
			...(seconds !== undefined && { seconds }),
		},
		stop,
	};
}

function readForms(node: Node): FormAnswersByNode | undefined {
	const forms = findProperty(node, 'forms');
	return forms && (getNodeValue(forms) as FormAnswersByNode);
}
