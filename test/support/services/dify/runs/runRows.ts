import type { DifyDeployment } from '../difyDeployment.ts';
import { type Exchange, getQueryInteger, Refusal } from '../exchange.ts';
import type { Fields } from '../state.ts';
import { type FakeRun, isChatRun } from './fakeRun.ts';
import { getElapsedTime } from './runEvents.ts';

/** Returns a page of an app's runs, newest first, for console and `/openapi/v1`. `refusal` is the error of an invalid query. */
export function createRunPage(exchange: Exchange, refusal: [number, string]): Fields {
	const { fake, app, query } = exchange;
	const limit = getQueryInteger(exchange, 'limit', { usual: 20, most: 100 }, refusal);
	const status = query.get('status');
	const found = fake.runs.all
		.filter(each => each.app.id === app?.id && each.triggeredFrom === (query.get('triggered_from') ?? 'debugging'))
		.filter(each => status === null || each.status === status)
		.reverse();
	const last = query.get('last_id');
	const at = last === null ? -1 : found.findIndex(each => each.id === last);
	if (last !== null && at < 0) {
		throw new Refusal(refusal[0], refusal[1], 'Last workflow run not exists');
	}
	const data = found.slice(at + 1, at + 1 + limit);
	return { limit, has_more: found.length > at + 1 + limit, data: data.map(each => toRunRow(fake, each)) };
}

function toRunRow(fake: DifyDeployment, run: FakeRun): Fields {
	return {
		id: run.id,
		...(isChatRun(run) ? { conversation_id: run.conversationId, message_id: run.messageId } : {}),
		version: run.workflow.version,
		status: run.status,
		elapsed_time: getElapsedTime(run),
		total_tokens: run.tokens,
		total_steps: run.executions.length,
		created_by_account: run.user === undefined ? toAccountFields(fake) : null,
		created_at: Math.floor(run.createdAt),
		finished_at: run.finishedAt === undefined ? null : Math.floor(run.finishedAt),
		exceptions_count: run.exceptions,
		retry_index: 0,
	};
}

export function toRunDetail(fake: DifyDeployment, run: FakeRun): Fields {
	return {
		...toRunRow(fake, run),
		graph: run.workflow.graph,
		inputs: { ...run.inputs, 'sys.workflow_run_id': run.id },
		outputs: run.outputs,
		error: run.error,
		created_by_role: run.user === undefined ? 'account' : 'end_user',
		created_by_end_user: run.user === undefined ? null : toEndUserFields(run.user),
	};
}

export function toNodeRows(fake: DifyDeployment, run: FakeRun): Fields {
	return { data: run.executions.map(each => toNodeRow(fake, each, run.user)) };
}

/** Returns an execution with its creator. */
export function toNodeRow(fake: DifyDeployment, each: Fields, user?: string): Fields {
	return {
		...each,
		created_by_role: user === undefined ? 'account' : 'end_user',
		created_by_account: user === undefined ? toAccountFields(fake) : null,
		created_by_end_user: user === undefined ? null : toEndUserFields(user),
	};
}

const toAccountFields = ({ account: { id, name, email } }: DifyDeployment) => ({ id, name, email });

const toEndUserFields = (user: string) => ({ id: user, type: 'service_api', is_anonymous: false, session_id: user });
