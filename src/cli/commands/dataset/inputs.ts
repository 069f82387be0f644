import { isRecord } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import type { RunInput } from '#client/call.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { createAgentRows, queryOfRows, shrinkInputs, takesQuery } from '#suites/generation/inputRows.ts';
import type { GeneratedRow } from '#suites/generation/runSample.ts';
import { runAgentCase } from '#suites/running/agentRun.ts';
import { CliFault } from '../../cliFault.ts';
import { readNamedText } from '../../readFailure.ts';
import type { Service } from '../../service/openService.ts';
import { defaultUser } from '../../service/requestParts.ts';
import type { MadeRows } from './dataset.ts';

interface InputOptions {
	readonly count: number;
	readonly seed: string;
	/** True to run the rows, and keep only those that fail, as simple as possible. */
	readonly isRun: boolean;
	/** JSON file with mocks by node ID. */
	readonly mocksFile: string | undefined;
	readonly signal: AbortSignal;
}

/** A reference that a template of the agent should have replaced. */
const unfilled = /\{\{#[\w.-]{1,200}#\}\}/;

/** Makes rows of inputs from the variables of an agent. Rejects with a {@link CliFault} or the client's error. */
export async function makeInputRows(
	agent: AgentSummary,
	service: Service,
	{ count, seed, isRun, mocksFile, signal }: InputOptions,
): Promise<MadeRows> {
	const query = takesQuery(agent) && { query: queryOfRows };
	const rows = createAgentRows(agent, count, seed);
	if (!isRun) {
		return { rows, notes: [`${agent.name}: ${formatQuantity(rows.length, 'row')} (seed ${seed})`] };
	}
	const mocks = await readMocks(mocksFile);
	const findFailure = async (inputs: GeneratedRow): Promise<string | undefined> => {
		const request = { model: agent.name, user: defaultUser, inputs, ...(mocks && { mocks }), ...query } as RunInput;
		const { trace } = await runAgentCase(service.client, request, service.isBuiltIn, signal);
		const { status, error, outputs } = trace.end ?? { status: 'unknown' };
		if (status !== 'succeeded' && status !== 'partial-succeeded' && status !== 'paused') {
			return `${status}: ${String(error ?? '')}`;
		}
		const left = unfilled.exec(JSON.stringify(outputs ?? {}))?.[0];
		return left !== undefined && !JSON.stringify(inputs).includes(left) ? `not filled in: ${left}` : undefined;
	};
	const failures = new Map<string, GeneratedRow>();
	for (const { $name: _, $generated: __, query: ___, ...inputs } of rows as readonly Record<string, unknown>[]) {
		const failure = await findFailure(inputs);
		const kind = failure && toKind(failure);
		if (failure !== undefined && kind !== undefined && !failures.has(kind)) {
			const shrunk = await shrinkInputs(inputs, agent.variables, async simpler => toKind((await findFailure(simpler)) ?? '') === kind);
			failures.set(kind, {
				$name: `fails ${failures.size + 1}`,
				$generated: `seed ${seed}`,
				$failure: failure,
				...query,
				...shrunk,
			});
		}
	}
	return {
		rows: [...failures.values()],
		notes: [`${agent.name}: ran ${formatQuantity(rows.length, 'row')} (seed ${seed}); ${formatQuantity(failures.size, 'kind')} of failure`],
		hasFailures: failures.size > 0,
	};
}

/** Removes what differs between failures of the same kind. */
function toKind(failure: string): string {
	return failure.replace(/'[^']*'|"[^"]*"|\d+/g, '…').slice(0, 200);
}

async function readMocks(file: string | undefined): Promise<Readonly<Record<string, unknown>> | undefined> {
	if (file === undefined) {
		return undefined;
	}
	const mocks = tryParseJson(readNamedText(file));
	if (!isRecord(mocks)) {
		throw new CliFault(`--mocks ${file}: expected a JSON object with a mock for each node ID.`);
	}
	return mocks;
}
