import { createHash } from 'node:crypto';
import { getNodeValue, type Node } from 'jsonc-parser';
import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { findProperty, getValueRange } from '#base/text/textFaults.ts';
import { createAttackCanaries } from '#contract/attack.ts';
import { getTrigger, selectTrigger } from '#runs/request/agentTrigger.ts';
import { findAttackedInputs } from '../attacks/attackInputs.ts';
import { type AttackTemplate, attackTemplates, offlinePackNames, type PackName } from '../attacks/attackPacks.ts';
import type { AttackLimits, SuiteAttack, SuiteAttacker } from '../suite.ts';
import { formatNames } from './readChecks.ts';
import type { AttackedAgent, SuiteReading } from './readContext.ts';
import type { UnnumberedCase } from './readRunFiles.ts';
import type { SuiteText } from './suiteText.ts';

/** Entry of `into` for the inputs and the message. */
const intoInputs = 'inputs';
const mostAttackTurns = 20;
const defaultLimits: AttackLimits = { steps: 100, tokens: 50_000, seconds: 60 };

/** Fields of `attacks`. */
interface AttackFields {
	readonly packs?: readonly PackName[];
	readonly into?: readonly string[];
	readonly tools?: readonly string[];
	readonly canaries?: readonly string[];
	readonly limits?: Partial<AttackLimits>;
	readonly attacker?: {
		readonly model?: string;
		readonly max_turns?: number;
		readonly cost?: number;
		readonly tokens?: number;
		readonly seconds?: number;
	};
}

/**
 * Creates a case for each attack on a case that can reach its agent. Reports a problem if there is none.
 *
 * @param node the case, whose field `attacks` chooses them
 * @param agent absent if the case calls a model directly
 */
export function expandAttacks(
	node: Node,
	each: UnnumberedCase,
	agent: AttackedAgent | undefined,
	reading: SuiteReading,
	text: SuiteText,
): readonly UnnumberedCase[] {
	const attacks = findProperty(node, 'attacks');
	if (!attacks) {
		return [];
	}
	const { takesMocks, connection, t } = reading.context;
	const reportFault = (at: Node, code: 'wrong-value' | 'unknown-node', message: string) =>
		reading.reportFaults(text, { code, severity: 'error', path: ['attacks'], ...getValueRange(at), message });
	if (!agent || takesMocks === false) {
		reportFault(
			attacks,
			'wrong-value',
			t("'{0}' doesn't support these attacks. Only the built-in gateway does, for agents that it runs itself.", connection),
		);
		return [];
	}
	const { nodes } = agent;
	const fields = getNodeValue(attacks) as AttackFields;
	const ids = nodes && new Set(nodes.map(({ id }) => id));
	for (const named of findProperty(attacks, 'into')?.children ?? []) {
		if (named.value !== intoInputs && ids && !ids.has(named.value)) {
			reportFault(named, 'unknown-node', t("The agent has no node '{0}'. Expected one of {1}.", named.value, formatNames(ids)));
		}
	}
	const chosen = fields.into?.filter(name => name !== intoInputs);
	// an agent gets the replies of its tools
	const untrusted = nodes?.filter(({ id, type }) => (findNodeKind(type)?.isForeign || type === 'agent') && (chosen?.includes(id) ?? true));
	const canReply = (chosen === undefined || chosen.length > 0) && untrusted?.length !== 0;
	const acceptsInput = findInputAcceptance(each, reading);
	const applies = ({ into, text: given, repeat }: SuiteAttack) =>
		into === 'replies' ? canReply : (fields.into?.includes(intoInputs) ?? true) && acceptsInput(given.repeat(repeat));
	const packs: readonly string[] = fields.packs ?? offlinePackNames;
	const maxTurns = findProperty(findProperty(attacks, 'attacker'), 'max_turns');
	if (maxTurns && (!Number.isInteger(maxTurns.value) || maxTurns.value > mostAttackTurns)) {
		reportFault(maxTurns, 'wrong-value', t("'max_turns' must be a whole number from 1 to {0}.", mostAttackTurns));
	}
	const cases = attackTemplates
		.filter(({ pack }) => packs.includes(pack))
		.map(template => createAttack(template, each.name, fields, chosen))
		.filter(applies)
		.map(attack => createAttackCase(each, attack));
	if (cases.length === 0) {
		reportFault(attacks, 'wrong-value', t('None of these attacks can reach the agent: no input or node gets their text.'));
	}
	return cases;
}

/** Returns a function that says if the message or an input of a case accepts a text. */
function findInputAcceptance({ target, request }: UnnumberedCase, reading: SuiteReading): (text: string) => boolean {
	const agent = reading.findAgent(target.model);
	if (!agent || findProperty(request, 'query')) {
		return () => true;
	}
	const { variables } = selectTrigger(agent, getTrigger(request));
	return text => findAttackedInputs(text, variables).length > 0;
}

function createAttack(
	{ pack, name, owasp, into, detector, createText, repeat = 1 }: AttackTemplate,
	of: string,
	{ tools = [], canaries = [], limits, attacker }: AttackFields,
	nodes: readonly string[] | undefined,
): SuiteAttack {
	const id = createId(`${of}\n${pack}\n${name}`);
	return {
		pack,
		name,
		owasp,
		into,
		detector,
		id,
		text: createText(createAttackCanaries(id)),
		repeat,
		nodes,
		tools,
		canaries,
		limits: { ...defaultLimits, ...limits },
		...(pack === 'crescendo' && { attacker: createAttacker(attacker) }),
	};
}

function createAttacker({ model, max_turns: turns = 5, tokens = 50_000, cost, seconds }: AttackFields['attacker'] = {}): SuiteAttacker {
	return {
		...(model !== undefined && { model }),
		limits: { turns, tokens, ...(cost !== undefined && { cost }), ...(seconds !== undefined && { seconds }) },
	};
}

/** Creates a word of letters that occurs nowhere else. */
function createId(seed: string): string {
	const bytes = createHash('sha256').update(seed).digest().subarray(0, 16);
	return [...bytes].map(byte => String.fromCodePoint(97 + (byte % 26))).join('');
}

function createAttackCase(each: UnnumberedCase, attack: SuiteAttack): UnnumberedCase {
	const check = { kind: 'attack' as const, fields: { attack }, place: each.place };
	return { ...each, name: `${each.name} › ${attack.pack}: ${attack.name}`, checks: [check, ...each.checks], attack };
}
