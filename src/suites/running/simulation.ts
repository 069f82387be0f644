import { performance } from 'node:perf_hooks';
import type { CallOptions } from '#client/caller.ts';
import { maskRunSecrets } from '#runs/request/secrets.ts';
import { type CheckTools, evaluateCheck } from '../checks/evaluate.ts';
import type { SimulationLimits, SuitePlace, SuiteSimulation } from '../suite.ts';
import { CaseFault, type CaseWork, type RequestFields } from './caseWork.ts';
import { type RanConversation, type RanTurn, TestedConversation, type TurnParts } from './conversation.ts';
import { createSimulatedUser, type MessageWriter } from './messageWriter.ts';

/** How a simulated conversation ended; the output `end`. */
type SimulationEnd = 'goal' | 'gave-up' | 'out-of-scope' | 'stop-check' | 'max-turns' | 'budget' | 'error';

interface SimulationParts extends TurnParts {
	readonly writer: MessageWriter;
	readonly limits: SimulationLimits;
	readonly place: SuitePlace;
	readonly forms: CaseWork['forms'];
	/** Creates the request of a message. */
	readonly createRequest: (message: string) => RequestFields;
	/** Returns true if the conversation so far should end. */
	readonly isOver: (ran: RanTurn) => Promise<boolean>;
}

export interface SimulationTools {
	readonly parts: TurnParts;
	readonly tools: CheckTools;
	/** Options for calls of the model that plays the user. */
	readonly options: CallOptions;
}

/** Lets the simulated user of a case talk to its agent. Rejects like {@link simulateConversation}. */
export async function simulateUser(
	simulation: SuiteSimulation,
	work: CaseWork,
	request: RequestFields,
	{ parts, tools, options }: SimulationTools,
): Promise<RanConversation> {
	const { values: row, fromText, place, forms } = work;
	const { query } = request;
	return simulateConversation(query === undefined ? undefined : String(query), {
		...parts,
		place,
		forms,
		limits: simulation.limits,
		writer: createSimulatedUser(simulation, {
			createMessage: body => tools.client.createMessage(maskRunSecrets(body, tools.getSecrets()), options),
			getModel: tools.getJudgeModel,
		}),
		createRequest: message => ({ ...request, query: message }),
		isOver: async ran => {
			for (const check of simulation.stop) {
				if ((await evaluateCheck(check, work, { ...ran, row, fromText }, tools)).passed) {
					return true;
				}
			}
			return false;
		},
	});
}

/**
 * Lets a simulated user talk to an agent until one of its ends. Rejects if the user's model can't be reached or a turn couldn't run.
 *
 * @param opening first message; written by the user if `undefined`
 */
export async function simulateConversation(opening: string | undefined, parts: SimulationParts): Promise<RanConversation> {
	const { writer, limits, isOver, createRequest, place, forms = {} } = parts;
	const started = performance.now();
	const conversation = new TestedConversation(parts);
	const findEnd = async (): Promise<SimulationEnd | undefined> => {
		const { run } = conversation.ran;
		if (await isOver(conversation.ran)) {
			return 'stop-check';
		}
		const isUsedUp =
			(run.cost ?? 0) >= (limits.cost ?? Number.POSITIVE_INFINITY) ||
			run.tokens + writer.tokens >= (limits.tokens ?? Number.POSITIVE_INFINITY) ||
			(performance.now() - started) / 1000 >= (limits.seconds ?? Number.POSITIVE_INFINITY);
		return isUsedUp ? 'budget' : conversation.turns >= limits.turns ? 'max-turns' : undefined;
	};
	let end: SimulationEnd | undefined;
	let message = opening;
	while (!end) {
		if (message === undefined) {
			const written = await writer.writeMessage(conversation);
			end = written.end;
			message = written.message;
		}
		if (message !== undefined) {
			const passed = await conversation.runTurn({ checks: [], place, forms }, createRequest(message), message);
			end = passed ? await findEnd() : 'error';
			message = undefined;
		}
	}
	if (conversation.turns === 0) {
		throw new CaseFault('The simulated user ended the conversation before the first message.');
	}
	const { ran } = conversation;
	const run = { ...ran.run, ...(writer.tokens > 0 && { userTokens: writer.tokens }) };
	return { ...ran, run, outputs: { ...ran.outputs, end } };
}
