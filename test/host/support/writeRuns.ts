// Program: node writeRuns.ts FOLDER AGENT COUNT [SECONDS]. Writes finished runs into the data folder of a gateway that isn't running, one
// for every SECONDS (default 1) up to now. Every 50th run failed, and the run that started in the last hour of yesterday timed out.
import { randomUUID } from 'node:crypto';
import { Log } from '#gateway/process/log.ts';
import { Store } from '#gateway/store/store.ts';

const [dataFolder = '', agentName = '', count = '0', seconds = '1'] = process.argv.slice(2);
const store = new Store(dataFolder, 0, new Log('json', () => {}));
const { workflow_id: workflowId } = store.agents.publishVersion(agentName, 'app: {}', Date.now());
const agent = store.agents.ensureAgent(agentName).id;
const now = Date.now();
const apart = Number(seconds) * 1000;
const lateYesterday = new Date(now).setHours(0, 0, 0, 0) - 3_600_000;
for (let n = Number(count); n > 0; n--) {
	const createdAt = now - n * apart;
	const inputs = JSON.stringify({ text: `run number ${n}` });
	const seq = store.runs.start({ id: randomUUID(), taskId: `task-${n}`, agent, listed: true, workflowId, user: 'ana', inputs, createdAt });
	const timedOut = createdAt >= lateYesterday && createdAt < lateYesterday + apart;
	const status = n % 50 === 0 || timedOut ? 'failed' : 'succeeded';
	const error = timedOut ? 'Fetch: no answer within 30 s (timeout)' : 'code: it broke';
	const figures = { elapsedTime: 0.4, totalTokens: 7, totalSteps: 3, exceptionsCount: 0, finishedAt: createdAt + 400 };
	store.runs.finishRun(seq, { status, outputs: '{"text":"out"}', error: status === 'failed' ? error : null, ...figures });
}
// the gateway does this when it is idle
while (await store.search.indexSomeRuns());
await store.close();
