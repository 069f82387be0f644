import { localizable } from '#base/text/localizableMessage.ts';
import type { DebugModelCall, DebugModelReply } from '#contract/debugModelCalls.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { findJsonInReply } from '#engine/nodes/model/replyJson.ts';
import { findValueIssue } from '#engine/nodes/model/structuredOutput.ts';
import type { ModelMessage } from '#engine/run/engineTypes.ts';
import type { HeldModelCall, ModelReplyByHand } from '#engine/run/gate.ts';
import { type Branch, type Branches, isPaused, type PausedCall } from './branches.ts';
import { maskSecrets } from './maskSecrets.ts';
import type { Stop } from './stopReports.ts';

/** The session whose calls wait. */
interface CallSession {
	readonly branches: Branches;
	pauseBranch(branch: Branch, state: Branch['state'], stop: Stop): Promise<boolean>;
	stepBranch(id: number, how: 'over'): void;
	continueRun(): void;
}

/** The model calls of a session that wait for a reply by hand, or for the command to make them. */
export class ModelCalls {
	readonly #session: CallSession;
	/** The last call of each branch. A node may make several calls at once, which wait for each other. */
	readonly #last = new WeakMap<Branch, Promise<unknown>>();
	#count = 0;
	/** True if calls wait. */
	isHolding = false;

	constructor(session: CallSession) {
		this.#session = session;
	}

	/** Lets a call wait. @returns the reply, or undefined to make the call */
	readonly holdCall = (call: HeldModelCall, signal: AbortSignal): Promise<ModelReplyByHand | undefined> | undefined => {
		const branch = this.#session.branches.findBranch(call.level, call.node.id);
		if (!branch || !this.isHolding) {
			return undefined;
		}
		const before = this.#last.get(branch);
		const held = before ? before.then(() => this.#pauseAtCall(branch, call, signal)) : this.#pauseAtCall(branch, call, signal);
		this.#last.set(branch, held);
		return held;
	};

	/**
	 * Answers the call that a branch is paused at, and continues the branch: alone if others are paused, else with the whole run. Throws an
	 * error: 409 if the branch isn't paused at the call with this number, 400 if the reply doesn't fit the call.
	 */
	async answerCall(id: number, number: number, reply: DebugModelReply): Promise<void> {
		const { branches } = this.#session;
		const checked = await checkModelReply(getPausedCall(branches.findBranchById(id), number), reply);
		const branch = branches.findBranchById(id);
		getPausedCall(branch, number).reply = checked;
		if ([...branches.getAllBranches()].some(each => each !== branch && isPaused(each))) {
			this.#session.stepBranch(id, 'over');
		} else {
			this.#session.continueRun();
		}
	}

	/** Never rejects: the models reject if `signal` aborts. */
	async #pauseAtCall(branch: Branch, call: HeldModelCall, signal: AbortSignal): Promise<ModelReplyByHand | undefined> {
		if (signal.aborted || !this.isHolding) {
			return undefined;
		}
		this.#count++;
		const paused: PausedCall = { ...call, number: this.#count, signal, reply: undefined };
		branch.call = paused;
		const released = this.#session.pauseBranch(branch, 'asking', { reason: 'model', branch: branch.id });
		const abort = () => branch.release(false);
		signal.addEventListener('abort', abort, { once: true });
		await released;
		signal.removeEventListener('abort', abort);
		branch.call = undefined;
		if (signal.aborted) {
			branch.state = 'running';
		}
		return paused.reply;
	}
}

/** Returns the call that a branch is paused at. Throws an error (409) if there is none, or if it isn't the one with this number. */
export function getPausedCall(branch: Branch | undefined, number?: number): PausedCall {
	const call = branch?.call;
	if (!call || (number !== undefined && call.number !== number)) {
		throw createCallGoneFault();
	}
	return call;
}

/** Describes a call for the person who answers it, without the secrets of its agent. */
export function describeModelCall({ number, request, level }: PausedCall): DebugModelCall {
	const { model, messages, tools = [], responseSchema, callsNoTools } = request;
	return maskSecrets(
		{
			call: number,
			model,
			messages: messages.map(({ role, content, calls = [] }) => ({
				role,
				text: getMessageText(content),
				...(calls.length > 0 && { calls: JSON.stringify(calls.map(({ name, input }) => ({ name, input }))) }),
			})),
			tools: (callsNoTools ? [] : tools).map(({ name, description, parameters }) => ({ name, description, parameters })),
			...(responseSchema && { schema: responseSchema }),
		},
		level,
	);
}

function getMessageText(content: ModelMessage['content']): string {
	return typeof content === 'string' ? content : content.map(part => (part.type === 'text' ? part.text : '[image]')).join('\n');
}

/**
 * Checks a reply by hand to the extent that the call says what it must be: the schema of the text, and names and arguments of tools.
 * Throws an error: 400 that names what's wrong, 409 if the run ends meanwhile.
 */
async function checkModelReply({ request, signal }: PausedCall, { text = '', calls = [] }: DebugModelReply): Promise<ModelReplyByHand> {
	if (text.trim() === '' && calls.length === 0) {
		refuseReply(localizable`The reply is empty. Expected text or a tool call.`);
	}
	const offered = request.callsNoTools ? [] : (request.tools ?? []);
	for (const [index, call] of calls.entries()) {
		const tool = offered.find(({ name }) => name === call.name);
		const place = `calls[${index}]`;
		if (offered.length === 0) {
			refuseReply(localizable`The model has no tools here. Expected text.`);
		} else if (!tool) {
			refuseReply(
				localizable`${place}: unknown tool '${call.name}'. Expected one of these: ${offered.map(({ name }) => name).join(', ')}.`,
			);
		} else {
			await checkValue(tool.parameters, call.arguments, `${place}.arguments`, signal);
		}
	}
	if (request.responseSchema && calls.length === 0) {
		const value = findJsonInReply(text);
		if (!value) {
			refuseReply(localizable`The reply isn't a JSON object, as its schema requires.`);
		}
		await checkValue(request.responseSchema, value, '', signal);
	}
	return { text, calls: calls.map(call => ({ name: call.name, input: JSON.stringify(call.arguments) })) };
}

/** Refuses a value that doesn't match its schema. `place`: the value's path in the reply, empty for the text. */
async function checkValue(
	schema: Readonly<Record<string, unknown>>,
	value: Readonly<Record<string, unknown>>,
	place: string,
	signal: AbortSignal,
): Promise<void> {
	const issue = await findValueIssue(schema, value, signal).catch((error: unknown) => {
		if (signal.aborted) {
			throw createCallGoneFault();
		}
		throw new ServiceFault(400, (error as Error).message, { params: 'reply' });
	});
	if (issue !== null) {
		const path = place === '' ? issue.path : issue.path.replace('$', () => place);
		refuseReply(localizable`The reply doesn't match its schema at ${path}: ${issue.message}`);
	}
}

function createCallGoneFault(): ServiceFault {
	return new ServiceFault(409, localizable`This branch isn't paused at this model call anymore.`);
}

function refuseReply(message: ConstructorParameters<typeof ServiceFault>[1]): never {
	throw new ServiceFault(400, message, { params: 'reply' });
}
