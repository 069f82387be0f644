// Runs or resumes the suite of a folder on a service and prints each result: node killedBatch.ts FOLDER URL KEY [resume]
import fs from 'node:fs';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { ServiceClient } from '#client/client.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import { ConnectionPace } from '#suites/running/connectionPace.ts';
import { SuiteRunner } from '#suites/running/suiteRunner.ts';

const [folder = '', baseUrl = '', key = '', resume] = process.argv.slice(2);
const file = path.join(folder, 'rows.suite.json');
const { suite, faults } = await readSuite(fs.readFileSync(file, 'utf8'), file, {
	connection: 'local',
	agents: undefined,
	root: folder,
	t: fillPlaceholders,
});
if (!suite) {
	throw new Error(JSON.stringify(faults));
}
const client = new ServiceClient({ baseUrl, kind: 'gateway', keys: { agent: key } });
const runner = new SuiteRunner({ checkThread: new URL('../../../src/suites/checks/thread/checkThread.ts', import.meta.url) });
const service = {
	name: 'local',
	client,
	pace: new ConnectionPace(),
	agents: undefined,
	drafts: false,
	takesMocks: true,
	user: 'ci',
	placeholders: { workspaceFolder: folder, askInput: async () => undefined, environment: undefined },
};
const options = { resultFile: path.join(folder, 'results.jsonl'), resume: resume === 'resume' };
for await (const event of runner.run(suite, service, options)) {
	if (event.type === 'result') {
		process.stdout.write(`${event.result.ordinal}\n`);
	} else if (event.type === 'finished') {
		process.stdout.write(`${JSON.stringify(event.summary)}\n`);
	}
}
await runner.close();
await client.close();
