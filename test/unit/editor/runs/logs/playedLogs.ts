import type { WorkflowLogsQuery } from '#contract/workflows.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';

/** A run that a test defines. `at` is in Unix seconds. */
export interface PlayedRun {
	readonly id: string;
	readonly at: number;
	readonly status?: string;
	readonly seconds?: number;
	readonly tokens?: number;
	readonly user?: string;
	readonly text?: string;
	readonly error?: string;
}

/** Simulates a service with logs of agents. `filters` is true if it can filter by time, like the built-in gateway. */
export class PlayedLogs {
	readonly queries: WorkflowLogsQuery[] = [];
	/** IDs of runs whose details were requested. */
	readonly details: string[] = [];
	/** Error of the next page. */
	failure: Error | undefined;
	/** Awaited before each page is returned. */
	gate: Promise<void> = Promise.resolve();
	readonly #runs: Record<string, PlayedRun[]>;
	readonly #filters: boolean;
	readonly connections: Connections;

	constructor(runs: Record<string, PlayedRun[]>, filters = true, kind: Connection['kind'] = 'gateway') {
		this.#runs = runs;
		this.#filters = filters;
		const client = {
			listLogs: (query: WorkflowLogsQuery, options?: { signal?: AbortSignal }) => this.#page(query, options?.signal),
			getRun: async (id: string, { model }: { model: string }) => {
				this.details.push(id);
				const run = this.#runs[model]?.find(each => each.id === id);
				if (!run) {
					throw new Error('Workflow run not found.');
				}
				const { status = 'succeeded', text = id, error = null } = run;
				return { id, status, error, inputs: JSON.stringify({ text, 'sys.user_id': 'u' }), outputs: { answer: `said ${text}` } };
			},
		};
		const connection: Connection = { id: 'c', name: 'Played', kind, user: 'ana' };
		this.connections = {
			list: () => [connection],
			get: () => connection,
			listAgents: async () => Object.keys(runs).map(name => ({ name })),
			getClient: async () => client,
			toProblem: (_id: string, error: unknown) => error,
		} as unknown as Connections;
	}

	add(agent: string, run: PlayedRun): void {
		this.#runs[agent]?.unshift(run);
	}

	async #page(query: WorkflowLogsQuery, signal: AbortSignal | undefined) {
		this.queries.push(query);
		await this.gate;
		signal?.throwIfAborted();
		const { failure } = this;
		this.failure = undefined;
		if (failure) {
			throw failure;
		}
		const { model, page = 1, limit = 20, status, keyword } = query;
		const [after, before] = [query.created_at__after, query.created_at__before].map(time => (time ? Date.parse(time) / 1000 : undefined));
		const all = (this.#runs[model] ?? []).filter(
			run =>
				(status === undefined || (run.status ?? 'succeeded') === status) &&
				(keyword === undefined || `${run.text} ${run.error}`.includes(keyword)) &&
				(!this.#filters || ((after === undefined || run.at >= after) && (before === undefined || run.at <= before))),
		);
		const first = (page - 1) * limit;
		return {
			page,
			limit,
			total: all.length,
			has_more: first + limit < all.length,
			data: all.slice(first, first + limit).map(run => ({
				id: run.id,
				workflow_run: {
					id: run.id,
					status: run.status ?? 'succeeded',
					error: run.error ?? null,
					elapsed_time: run.seconds ?? 1,
					total_tokens: run.tokens ?? 0,
					total_steps: 1,
					created_at: run.at,
					finished_at: run.at,
				},
				created_by_end_user: { id: 'x', type: 'service_api', is_anonymous: false, session_id: run.user ?? 'ana' },
				created_at: run.at,
			})),
		};
	}
}

/** Creates `count` runs that started a second apart, newest first. */
export function createPlayedRuns(count: number, now: number, more: (place: number) => Partial<PlayedRun> = () => ({})): PlayedRun[] {
	return Array.from({ length: count }, (_, place) => ({ id: `run-${place}`, at: Math.floor(now / 1000) - place, ...more(place) }));
}
