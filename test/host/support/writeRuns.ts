// Program: node writeRuns.ts FOLDER AGENT COUNT. Writes finished runs into the data folder of a gateway that does not run; every 50th failed.
import { randomUUID } from 'node:crypto';
import { Store } from '../../../src/gateway/store/store.ts';

const [dataFolder = '', agentName = '', count = '0'] = process.argv.slice(2);
const store = new Store(dataFolder, 0);
const { workflow_id: workflowId } = store.agents.publish(agentName, 'app: {}', Date.now());
const agent = store.agents.ensure(agentName).id;
const now = Date.now();
for (let n = Number(count); n > 0; n--) {
	const createdAt = now - n * 1000;
	const inputs = JSON.stringify({ text: `run number ${n}` });
	const seq = store.runs.start({ id: randomUUID(), taskId: `task-${n}`, agent, listed: true, workflowId, user: 'ana', inputs, createdAt });
	const status = n % 50 === 0 ? 'failed' : 'succeeded';
	const figures = { elapsedTime: 0.4, totalTokens: 7, totalSteps: 3, exceptionsCount: 0, finishedAt: createdAt + 400 };
	store.runs.finish(seq, { status, outputs: '{"text":"out"}', error: status === 'failed' ? 'code: it broke' : null, ...figures });
}
// the gateway does this when it has nothing else to do
while (store.search.indexSome(5000) > 0);
await store.close();
