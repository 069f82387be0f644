import { randomUUID } from 'node:crypto';
import type { DifyDeployment } from '../difyDeployment.ts';
import type { FakeNode, Fields } from '../state.ts';
import type { FakeRun } from './fakeRun.ts';

interface Ended {
	readonly status: string;
	readonly error: string | null;
	readonly inputs: Fields;
	readonly outputs: Fields | null;
	readonly tokens: number;
}

/** Creates a node execution with the fields of its events and of the run's node list. */
export function createExecution(fake: DifyDeployment, run: Pick<FakeRun, 'executions'> | undefined, node: FakeNode, before: string | null) {
	const createdAt = fake.getTime();
	const started: Fields = {
		id: randomUUID(),
		node_id: node.id,
		node_type: node.data.type ?? '',
		title: node.data.title ?? '',
		index: (run?.executions.length ?? 0) + 1,
		predecessor_node_id: before,
		inputs: null,
		inputs_truncated: false,
		created_at: Math.floor(createdAt),
		extras: {},
		iteration_id: null,
		loop_id: null,
	};
	return {
		started,
		finished: ({ status, error, inputs, outputs, tokens }: Ended): Fields => {
			const finishedAt = fake.getTime();
			return {
				...started,
				inputs,
				process_data: {},
				process_data_truncated: false,
				outputs,
				outputs_truncated: false,
				status,
				error,
				elapsed_time: Math.max(0, finishedAt - createdAt),
				execution_metadata: { total_tokens: tokens, total_price: '0', currency: 'USD' },
				finished_at: Math.floor(finishedAt),
				files: [],
			};
		},
	};
}
