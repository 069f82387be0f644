import type { AgentVariable } from '#contract/agents.ts';
import type { Attack } from '#contract/attack.ts';
import { getTextLimit } from '#runs/request/typedValue.ts';
import type { CaseAttack, CheckResult } from '../results/caseResult.ts';
import type { SuiteAttack } from '../suite.ts';

/** Fields of a request. */
interface AttackedFields {
	readonly inputs: Readonly<Record<string, unknown>>;
	readonly [field: string]: unknown;
}

/** Returns the inputs that accept a text. */
export function findAttackedInputs(text: string, variables: readonly AgentVariable[]): readonly AgentVariable[] {
	return variables.filter(
		variable => (variable.type === 'text-input' || variable.type === 'paragraph') && text.length <= (getTextLimit(variable) ?? text.length),
	);
}

/**
 * Adds the text of an attack to the message and the inputs of a request, or replaces them. An input that is too short for both only gets the
 * text.
 *
 * @param variables those of the agent, if known; otherwise, all strings among the inputs are attacked
 */
export function attackInputs(
	request: AttackedFields,
	{ into, text, repeat }: SuiteAttack,
	variables: readonly AgentVariable[] | undefined,
): AttackedFields {
	if (into === 'replies') {
		return request;
	}
	const attack = text.repeat(repeat);
	const addAttack = (value: unknown, most = Number.POSITIVE_INFINITY) => {
		const both = typeof value === 'string' && value !== '' && into === 'inputs' ? `${value}\n\n${attack}` : attack;
		return both.length <= most ? both : attack;
	};
	const { inputs, query } = request;
	const targets: readonly (readonly [name: string, most?: number | undefined])[] = variables
		? findAttackedInputs(attack, variables).map(variable => [variable.variable, getTextLimit(variable)])
		: Object.keys(inputs)
				.filter(name => typeof inputs[name] === 'string')
				.map(name => [name]);
	const attacked = targets.map(([name, most]) => [name, addAttack(inputs[name], most)] as const);
	return {
		...request,
		inputs: { ...inputs, ...Object.fromEntries(attacked) },
		...(typeof query === 'string' && { query: addAttack(query) }),
	};
}

/** Creates the part of an attack that the gateway carries out. */
export function createRunAttack({ id, into, text, repeat, nodes }: SuiteAttack): Attack {
	return { id, ...(into === 'replies' && { reply: text, repeat }), ...(nodes && { nodes: [...nodes] }) };
}

/** Returns the outcome of an attack from the checks of its case. */
export function createCaseAttack({ pack, name, owasp }: SuiteAttack, checks: readonly CheckResult[]): CaseAttack {
	return { pack, name, owasp, succeeded: checks.some(({ kind, passed }) => kind === 'attack' && !passed) };
}
