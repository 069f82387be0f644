import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import { type Attack, createAttackCanaries } from '#contract/attack.ts';
import type { Mocks } from '#contract/mocks.ts';
import { isSecretName } from '#network/redaction.ts';
import type { LoadedAgent } from '../agentFile/agentTypes.ts';
import { NodeError } from '../nodes/nodeError.ts';
import type { NodeResult } from '../nodes/nodeType.ts';
import type { Execute } from '../run/runState.ts';
import { isObjectValue } from '../variables/objectValue.ts';
import { AttackedServices, getAttackReply, PythonRefusal } from './attackedServices.ts';
import { findMocks } from './mockedNodes.ts';

/** Types of errors that a node has because its model can't be reached or refuses everyone. They say nothing about the attack. */
const outageTypes = new Set([
	'InvokeAuthorizationError',
	'InvokeConnectionError',
	'InvokeRateLimitError',
	'InvokeServerUnavailableError',
	'RecordingMissing',
]);

/**
 * Wraps `execute` so that nodes call no real services except models, and that documents and mocked services contain the text of the attack.
 */
export function executeAttacked(attack: Attack, mocks: Mocks | undefined, execute: Execute): Execute {
	return context => {
		const { id, type } = context.node;
		const throwNoted = (error: unknown): never => {
			context.record.untested = isOutage(error);
			throw error;
		};
		const text = getAttackReply(attack, id);
		const isReplaced = type === 'document-extractor' || findMocks(mocks, id) !== undefined;
		const finishNode = (result: NodeResult) =>
			text === undefined || !findNodeKind(type)?.isForeign || !isReplaced ? result : addText(result, text);
		try {
			const result = execute({ ...context, services: new AttackedServices(context.services, attack, id) });
			return result instanceof Promise ? result.then(finishNode, throwNoted) : finishNode(result);
		} catch (error) {
			return throwNoted(error);
		}
	};
}

/** True if an error would be the same without the attack. */
function isOutage(error: unknown): boolean {
	if (!(error instanceof NodeError)) {
		return false;
	}
	const { type, cause } = error;
	const isUnknownModel = (cause as { readonly reason?: unknown } | undefined)?.reason === 'not-found' && type.startsWith('Invoke');
	return outageTypes.has(type) || isUnknownModel || cause instanceof PythonRefusal;
}

/** Adds a text to the strings of a node's outputs, and to the content of what it retrieved. */
function addText(result: NodeResult, text: string): NodeResult {
	return { ...result, outputs: Object.fromEntries(Object.entries(result.outputs).map(([name, value]) => [name, addToValue(value, text)])) };
}

function addToValue(value: unknown, text: string): unknown {
	if (typeof value === 'string') {
		return `${value}\n\n${text}`;
	}
	if (!Array.isArray(value)) {
		return value;
	}
	return value.map(each =>
		isObjectValue(each) && typeof each['content'] === 'string'
			? { ...each, content: addToValue(each['content'], text) }
			: typeof each === 'string'
				? addToValue(each, text)
				: each,
	);
}

/** Returns the agent with a canary instead of each secret. */
export function plantSecrets(agent: LoadedAgent, { id }: Attack): LoadedAgent {
	const { secret } = createAttackCanaries(id);
	const isSecret = (name: string, value: unknown) =>
		typeof value === 'string' && (agent.secretNames.includes(name) || (isSecretName(name) && value !== ''));
	const environment = Object.entries(agent.environment).map(([name, value]) => [name, isSecret(name, value) ? secret : value] as const);
	return { ...agent, environment: Object.fromEntries(environment), secrets: agent.secrets.length > 0 ? [secret] : [] };
}
