import { getNodeValue, type Node } from 'jsonc-parser';
import { findProperty, getValueRange } from '#base/text/textFaults.ts';
import type { FormAnswersByNode, SuiteCase, SuiteTarget } from '../suite.ts';
import { readChecks } from './readChecks.ts';
import type { SuiteReading } from './readContext.ts';
import { createRequestNode } from './requestNodes.ts';
import type { SuiteText } from './suiteText.ts';

/**
 * Reads the request, turns and form answers of a case. Reports a problem if the agent has no conversations.
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
): Pick<SuiteCase, 'turns' | 'onTurnFailure' | 'forms'> & { readonly request: Node } {
	const { t } = reading.context;
	const request = createRequestNode(node, defaults, node);
	const turns = findProperty(node, 'turns');
	const forms = readForms(node);
	if (!turns) {
		return { request, ...(forms && { forms }) };
	}
	const reportFault = (message: string) =>
		reading.reportFaults(text, { code: 'unknown-field', severity: 'error', path: ['turns'], ...getValueRange(turns), message });
	const agent = target.kind === 'agent' ? reading.findAgent(target.model) : undefined;
	if (target.kind === 'chat' || (agent && !/chat/.test(agent.mode))) {
		reportFault(t("'turns' can't be used here: '{0}' has no conversations.", target.model));
	}
	const other = ['query', 'attacks'].find(name => findProperty(node, name));
	if (other !== undefined) {
		reportFault(t("The test case has both 'turns' and '{0}'. Use only one of them.", other));
	}
	const read = (turns.children ?? []).map(turn => {
		const { checks, faults } = readChecks(findProperty(turn, 'expect'), text, nodes, reading.judges, t);
		reading.reportFaultList(text, faults);
		return {
			place: text.getNodePosition(turn),
			request: createRequestNode(turn, request, turn),
			checks,
			forms: { ...forms, ...readForms(turn) },
		};
	});
	const onTurnFailure = (findProperty(node, 'on_turn_failure')?.value as SuiteCase['onTurnFailure']) ?? 'stop';
	return { request: read[0]?.request ?? request, turns: read, onTurnFailure };
}

function readForms(node: Node): FormAnswersByNode | undefined {
	const forms = findProperty(node, 'forms');
	return forms && (getNodeValue(forms) as FormAnswersByNode);
}
