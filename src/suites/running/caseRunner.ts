import { performance } from 'node:perf_hooks';
import type { RunInput } from '../../client/calls.ts';
import type { CheckedRun } from '../checks/checkSubject.ts';
import { type CheckTools, evaluate } from '../checks/evaluate.ts';
import type { CaseResult, CaseRun, CheckResult } from '../results/caseResult.ts';
import type { SuiteCheck } from '../suite.ts';
import { agentRun, RunCancelled } from './agentRun.ts';
import { CaseFault, type CaseWork, type RequestFields } from './caseWork.ts';
import { chatRun } from './chatRun.ts';
import { isServiceError, isUnreached, type PacedCallOptions, pacedCall } from './pacedCall.ts';
import { RunTrace } from './runTrace.ts';
import type { SuiteService } from './suiteService.ts';

/** What all cases of a batch are run with. */
export interface CaseRunnerParts {
	readonly service: SuiteService;
	readonly paced: PacedCallOptions;
	readonly tools: CheckTools;
	/** Model that a suite's `chat` means. */
	readonly chatModel: (work: CaseWork) => Promise<string>;
	readonly repeat: number;
	readonly passRate: number;
	readonly coverage: boolean;
}

/** Runs cases and checks them. */
export class CaseRunner {
	readonly #parts: CaseRunnerParts;

	constructor(parts: CaseRunnerParts) {
		this.#parts = parts;
	}

	/** Runs a case, as often as the batch says, and checks it. Rejects with {@link RunCancelled} or the signal's reason where it was called off. */
	async run(work: CaseWork): Promise<CaseResult> {
		const { repeat, passRate } = this.#parts;
		const results: CaseResult[] = [];
		let last = await this.#once(work);
		for (results.push(last); results.length < repeat && last.outcome !== 'not-run'; results.push(last)) {
			last = await this.#once(work);
		}
		const told = results.find(({ outcome }) => outcome !== 'passed') ?? last;
		if (repeat === 1 || told.outcome === 'not-run') {
			return told;
		}
		const passed = results.filter(({ outcome }) => outcome === 'passed').length;
		return {
			...told,
			outcome: passed / results.length >= passRate ? 'passed' : 'failed',
			score: results.reduce((sum, { score }) => sum + score, 0) / results.length,
			repeated: { runs: results.length, passed },
			startedAt: results[0]!.startedAt,
			seconds: results.reduce((sum, { seconds }) => sum + seconds, 0),
		};
	}

	async #once(work: CaseWork): Promise<CaseResult> {
		const { ordinal, name, row, place } = work;
		const base = { ordinal, name, ...(row === undefined ? {} : { row }), place, startedAt: Date.now() };
		const started = performance.now();
		let inputs: CaseResult['inputs'] = {};
		const seconds = () => (performance.now() - started) / 1000;
		try {
			const request = await work.request();
			inputs = request.inputs;
			const ran = await this.#ran(work, request);
			const { run, outputs, trace } = ran;
			const checks = await this.#checked(work, ran);
			const weights = checks.reduce((sum, { weight }) => sum + weight, 0);
			const passed = checks.every(check => check.passed || check.weight === 0);
			const covered = this.#parts.coverage && work.target.kind === 'agent' ? { coverage: trace.coverage(work.target.model) } : {};
			return {
				...base,
				outcome: passed ? 'passed' : 'failed',
				score: weights === 0 ? Number(passed) : checks.reduce((sum, { score, weight }) => sum + score * weight, 0) / weights,
				run,
				inputs,
				outputs,
				checks,
				seconds: seconds(),
				...covered,
			};
		} catch (error) {
			if (error instanceof RunCancelled || this.#parts.paced.signal.aborted) {
				throw error;
			}
			return {
				...base,
				outcome: 'not-run',
				score: 0,
				fault: (error as Error).message,
				...(isServiceError(error) && isUnreached(error) ? { unreached: true as const } : {}),
				inputs,
				outputs: {},
				checks: [],
				seconds: seconds(),
			};
		}
	}

	async #ran(work: CaseWork, request: RequestFields): Promise<CheckedRun> {
		const { service, paced, chatModel } = this.#parts;
		const { target, user, mocks, values: row, fromText } = work;
		const mocked = Object.keys(mocks).length > 0;
		if (mocked && !service.takesMocks) {
			throw new CaseFault(`${service.name} takes no mocks: only the built-in gateway, where it runs the agent itself, does`);
		}
		if (target.kind === 'chat') {
			const model = await chatModel(work);
			const started = performance.now();
			const { outputs, tokens } = await pacedCall(paced, () =>
				chatRun(service.client, target, model, request.inputs, { signal: paced.signal, cache: request['cache'] === true }),
			);
			const run: CaseRun = { status: 'succeeded', seconds: (performance.now() - started) / 1000, tokens, steps: 1 };
			return { run, outputs, trace: new RunTrace(), row, fromText };
		}
		const body = { ...request, model: target.model, user, ...(mocked ? { mocks } : {}) } as RunInput;
		const ended = await pacedCall(paced, () => agentRun(service.client, body, service.drafts, paced.signal));
		const { trace, runId, seconds } = ended;
		const end = trace.end;
		const run: CaseRun = {
			...(runId === undefined ? {} : { id: runId }),
			status: end?.status ?? 'unknown',
			...(end?.error ? { error: String(end.error) } : {}),
			seconds: typeof end?.elapsed_time === 'number' ? end.elapsed_time : seconds,
			tokens: Number(end?.total_tokens ?? 0),
			...trace.cost,
			steps: Number(end?.total_steps ?? 0),
		};
		return { run, outputs: end?.outputs ?? {}, trace, row, fromText };
	}

	async #checked(work: CaseWork, ran: CheckedRun): Promise<readonly CheckResult[]> {
		const results: CheckResult[] = [];
		for (const check of withSuccess(work)) {
			results.push(await evaluate(check, work.name, ran, this.#parts.tools));
		}
		return results;
	}
}

/** Checks of a case; that its run succeeds, where nothing is said of that. */
function withSuccess({ checks, place }: CaseWork): readonly SuiteCheck[] {
	const told = checks.some(({ kind, fields }) => (kind === 'status' || kind === 'error') && !('node' in fields));
	return told ? checks : [{ kind: 'status', fields: { status: 'succeeded' }, place }, ...checks];
}
