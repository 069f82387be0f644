import { performance } from 'node:perf_hooks';
import { toAmount } from '#base/records/amount.ts';
import { toFields } from '#base/records/plainValues.ts';
import type { RunInput } from '#client/call.ts';
import type { RecordingPlace } from '#contract/recordings/recordings.ts';
import { maskRunSecrets, type Secrets } from '#runs/request/secrets.ts';
import { createCaseAttack, createRunAttack } from '../attacks/attackInputs.ts';
import type { CheckedRun } from '../checks/checkSubject.ts';
import { type CheckTools, evaluateCheck } from '../checks/evaluate.ts';
import { hashRow } from '../results/caseIndex.ts';
import type { CaseResult, CaseRun, CheckResult } from '../results/caseResult.ts';
import { sumUsedAmounts } from '../results/resultSum.ts';
import { scoreChecks } from '../results/scoreChecks.ts';
import { type EndedRun, RunCancelled, runAgentCase } from './agentRun.ts';
import { simulateAttacker } from './attacker.ts';
import { AttackTrace } from './attackTrace.ts';
import { CaseFault, type CaseWork, type RequestFields } from './caseWork.ts';
import { runChat } from './chatRun.ts';
import { type RanConversation, runConversation, type TurnParts } from './conversation.ts';
import { addImpliedChecks } from './impliedChecks.ts';
import { isServiceError, isServiceUnreached, type PacedCallOptions, runPacedCall } from './pacedCall.ts';
import { RunTrace } from './runTrace.ts';
import { simulateUser } from './simulation.ts';
import type { SuiteRecording, SuiteService } from './suiteService.ts';

export interface CaseRunnerParts {
	readonly service: SuiteService;
	readonly paced: PacedCallOptions;
	readonly tools: CheckTools;
	/** Returns the model for a suite's `chat`. */
	readonly getChatModel: (work: CaseWork) => Promise<string>;
	readonly repeat: number;
	readonly passRate: number;
	readonly coverage: boolean;
	readonly recording?: SuiteRecording;
}

/** A case with its request, which may still be pending. */
export interface ReadyCase {
	readonly work: CaseWork;
	readonly request: Promise<RequestFields>;
}

/** A case whose runs are finished but not checked. */
export interface RanCase {
	readonly work: CaseWork;
	readonly tries: readonly Try[];
}

/** A finished run of a case; of a conversation, with the results of its turns' checks. */
type RanTarget = CheckedRun & Partial<Pick<RanConversation, 'turnChecks'>>;

/** One run of a case. */
type Try = {
	/** Start time in Unix milliseconds. */
	readonly startedAt: number;
	/** Start time from `performance.now()`. */
	readonly started: number;
	readonly inputs: CaseResult['inputs'];
} & ({ readonly ran: () => RanTarget; readonly fault?: undefined } | { readonly ran?: undefined; readonly fault: Error });

/** Runs cases and checks them. */
export class CaseRunner {
	readonly #parts: CaseRunnerParts;

	constructor(parts: CaseRunnerParts) {
		this.#parts = parts;
	}

	/** Starts to create the request of a case. An error becomes the result of the case. */
	prepareCase(work: CaseWork): ReadyCase {
		const request = work.createRequest();
		request.catch(() => undefined);
		return { work, request };
	}

	/** Runs a case, repeatedly if configured. Rejects with {@link RunCancelled} or the signal's reason if canceled. */
	async runCase({ work, request }: ReadyCase): Promise<RanCase> {
		const tries: Try[] = [];
		do {
			// an uploaded file may be deleted with its run
			tries.push(await this.#runOnce(work, tries.length === 0 ? request : work.createRequest(), tries.length + 1));
		} while (tries.length < this.#parts.repeat && tries.at(-1)!.fault === undefined);
		return { work, tries };
	}

	/** Checks the runs of a case. Rejects like {@link runCase}. */
	async checkRuns({ work, tries }: RanCase): Promise<CaseResult> {
		const { repeat, passRate } = this.#parts;
		const results: CaseResult[] = [];
		for (const each of tries) {
			results.push(maskResult(await this.#createCaseResult(work, each), this.#parts.tools.getSecrets()));
		}
		const result =
			results.find(({ outcome }) => outcome === 'not-run') ?? results.find(({ outcome }) => outcome === 'failed') ?? results.at(-1)!;
		if (repeat === 1) {
			return result;
		}
		const used = sumUsedAmounts(results);
		if (result.outcome === 'not-run') {
			return { ...result, used };
		}
		const passed = results.filter(({ outcome }) => outcome === 'passed').length;
		return {
			...result,
			...(result.attack && { attack: { ...result.attack, succeeded: results.some(({ attack }) => attack?.succeeded) } }),
			outcome: passed / results.length >= passRate ? 'passed' : 'failed',
			score: results.reduce((sum, { score }) => sum + score, 0) / results.length,
			repeated: { runs: results.length, passed },
			used,
			startedAt: results[0]!.startedAt,
			seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
		};
	}

	async #runOnce(work: CaseWork, made: Promise<RequestFields>, repeat: number): Promise<Try> {
		const begun = { startedAt: Date.now(), started: performance.now() };
		let inputs: CaseResult['inputs'] = {};
		try {
			const request = await made;
			inputs = request.inputs;
			return { ...begun, inputs, ran: await this.#runTarget(work, request, repeat) };
		} catch (error) {
			return { ...begun, inputs, fault: this.#toCaseFault(error) };
		}
	}

	async #createCaseResult(work: CaseWork, { startedAt, started, inputs, ran, fault }: Try): Promise<CaseResult> {
		const { ordinal, name, row, nth, place, variant, attack, values } = work;
		const base = {
			ordinal,
			name,
			...(variant !== undefined && { variant }),
			...(row === undefined ? {} : { row, rowHash: hashRow(values ?? {}) }),
			...(nth === undefined ? {} : { nth }),
			place,
			startedAt,
		};
		const getSeconds = () => (performance.now() - started) / 1000;
		if (ran === undefined) {
			return { ...base, ...createNotRunFields(fault), inputs, seconds: getSeconds() };
		}
		try {
			const checked = ran();
			const { run, outputs, trace, turnChecks = [] } = checked;
			if (trace.untested !== undefined) {
				throw new CaseFault(`The attack couldn't run. ${trace.untested}`);
			}
			const checks = [...turnChecks, ...(await this.#runChecks({ ...work, checks: addImpliedChecks(work) }, checked))];
			const covered =
				(this.#parts.coverage || attack) && work.target.kind === 'agent' ? { coverage: trace.createCoverage(work.target.model) } : {};
			return {
				...base,
				...scoreChecks(checks),
				run,
				inputs,
				outputs,
				checks,
				seconds: getSeconds(),
				...covered,
				...(attack && { attack: createCaseAttack(attack, checks) }),
			};
		} catch (error) {
			return { ...base, ...createNotRunFields(this.#toCaseFault(error)), inputs, seconds: getSeconds() };
		}
	}

	/** Returns why a case couldn't run; throws if it was canceled. */
	#toCaseFault(error: unknown): Error {
		if (error instanceof RunCancelled || this.#parts.paced.signal.aborted) {
			throw error;
		}
		return error as Error;
	}

	/** Runs the target. The run is converted for checks later, so that the next run can start first. */
	async #runTarget(work: CaseWork, request: RequestFields, repeat: number): Promise<() => RanTarget> {
		const { service, paced, recording, tools, getChatModel: chatModel } = this.#parts;
		const place = { ...getPlace(work), ...(repeat > 1 && { repeat }) };
		const use = recording?.createUse(place, tools.getSecrets());
		const { target, user, mocks, source, values: row, fromText, attack } = work;
		const mocked = Object.keys(mocks).length > 0;
		if (mocked && !service.takesMocks) {
			throw new CaseFault(`'${service.name}' doesn't support mocks. Only the built-in gateway does, for agents that it runs itself.`);
		}
		if (attack && !service.takesMocks) {
			throw new CaseFault(`'${service.name}' doesn't support attacks. Only the built-in gateway does, for agents that it runs itself.`);
		}
		const options = { signal: paced.signal, cache: request['cache'] === true, recording: use };
		if (target.kind === 'chat') {
			const model = await chatModel(work);
			const started = performance.now();
			const { outputs, tokens } = await runPacedCall(paced, () => runChat(service.client, target, model, request.inputs, options));
			recording?.completePlace(place);
			const seconds = (performance.now() - started) / 1000;
			const run: CaseRun = {
				status: 'succeeded',
				seconds,
				...(tokens === undefined ? { tokens: 0, unknownTokens: true } : { tokens }),
				steps: 1,
			};
			const trace = new RunTrace();
			return () => ({ run, outputs, trace, row, fromText });
		}
		const changes = {
			...(mocked && { mocks }),
			...(source !== undefined && { source }),
			...(use && { recording: use }),
			...(attack && { attack: createRunAttack(attack) }),
		};
		// published agents ignore attacks
		const isDraft = service.drafts || attack !== undefined;
		const runOnce = async (fields: RequestFields, options: Parameters<typeof runAgentCase>[4]) => {
			const body = { ...fields, model: target.model, user, ...changes } as RunInput;
			const ended = await runPacedCall(paced, () => runAgentCase(service.client, body, isDraft, paced.signal, options));
			return toCaseRunResult(ended);
		};
		const parts: TurnParts = {
			runTurn: ({ forms }, fields, trace) => runOnce(fields, { forms, trace }),
			checkTurn: ({ checks, place: at }, turn) =>
				this.#runChecks({ ...work, checks: addImpliedChecks({ checks, place: at }) }, { ...turn, row, fromText }),
			t: tools.t,
		};
		const simulation = { parts, tools, options };
		const ran = work.simulation
			? await simulateUser(work.simulation, work, request, simulation)
			: attack?.attacker
				? await simulateAttacker(attack, work, request, simulation)
				: work.turns
					? await runConversation(work, request, parts)
					: await runOnce(request, { forms: work.forms, trace: attack && new AttackTrace() });
		recording?.completePlace(place);
		return () => ({ ...ran, row, fromText });
	}

	async #runChecks(work: CaseWork, ran: CheckedRun): Promise<readonly CheckResult[]> {
		const tools = recordJudges(this.#parts, work);
		const results: CheckResult[] = [];
		for (const check of work.checks) {
			results.push(await evaluateCheck(check, work, ran, tools));
		}
		return results;
	}
}

/** Returns tools whose judges use the recording, if any: a judge is asked in the place of its case. */
export function recordJudges({ tools, recording }: Pick<CaseRunnerParts, 'tools' | 'recording'>, work: CaseWork): CheckTools {
	const use = recording?.createUse(getPlace(work), tools.getSecrets());
	const client: CheckTools['client'] = { createMessage: (body, call) => tools.client.createMessage(body, { ...call, recording: use }) };
	return use ? { ...tools, client } : tools;
}

/** Returns the place of a case in a recording. */
function getPlace({ name, row }: CaseWork): RecordingPlace {
	return { case: name, ...(row !== undefined && { row }) };
}

/** Masks secrets in a result. */
function maskResult(result: CaseResult, secrets: Secrets): CaseResult {
	const { fault, run, inputs, outputs, checks } = result;
	const maskSecrets = <T>(value: T): T => maskRunSecrets(value, secrets);
	return {
		...result,
		...(fault === undefined ? {} : { fault: maskSecrets(fault) }),
		...(run?.error === undefined ? {} : { run: { ...run, error: maskSecrets(run.error) } }),
		inputs: maskSecrets(inputs),
		outputs: maskSecrets(outputs),
		checks: checks.map(({ name, message, expected, actual, ...check }) => ({
			...check,
			name: maskSecrets(name),
			...(message === undefined ? {} : { message: maskSecrets(message) }),
			...(expected === undefined ? {} : { expected: maskSecrets(expected) }),
			...(actual === undefined ? {} : { actual: maskSecrets(actual) }),
		})),
	};
}

function toCaseRunResult({ trace, runId, seconds }: EndedRun): Pick<CheckedRun, 'run' | 'outputs' | 'trace'> {
	const { end } = trace;
	const run: CaseRun = {
		...(runId === undefined ? {} : { id: runId }),
		status: typeof end?.status === 'string' ? end.status : 'unknown',
		...(end?.error ? { error: String(end.error) } : {}),
		seconds: typeof end?.elapsed_time === 'number' ? toAmount(end.elapsed_time) : seconds,
		tokens: toAmount(end?.total_tokens),
		...trace.cost,
		steps: toAmount(end?.total_steps),
	};
	return { run, outputs: toFields(end?.outputs), trace };
}

/** Creates the result fields of a case that couldn't run. */
export function createNotRunFields(error: Error): Pick<CaseResult, 'outcome' | 'score' | 'fault' | 'unreached' | 'outputs' | 'checks'> {
	const unreached = isServiceError(error) && isServiceUnreached(error) ? { unreached: true as const } : {};
	return { outcome: 'not-run', score: 0, fault: error.message, ...unreached, outputs: {}, checks: [] };
}
