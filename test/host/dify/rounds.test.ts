import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ConnectionEntry } from '#editor/connections/connectionEntries.ts';
import { getRecordUri } from '#editor/runs/following/runDocumentProvider.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { type Answers, answerDialogs, type Shown } from '../../support/editor/answers.ts';
import { DifyDeployment } from '../../support/services/dify/difyDeployment.ts';
import { createWorkflowFile } from '../../support/services/dify/sampleApps.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { getInstalledApi } from '../support/installedApi.ts';
import { getUserDataFolder, readTexts } from '../support/userData.ts';

/** A workflow that asks a person before it continues. */
const asker = `app: {name: Asker, mode: workflow}
kind: app
version: 0.6.0
workflow:
  graph:
    edges:
    - {id: a, source: start, sourceHandle: source, target: ask, targetHandle: target}
    - {id: b, source: ask, sourceHandle: approve, target: late, targetHandle: target}
    - {id: c, source: late, sourceHandle: source, target: end, targetHandle: target}
    nodes:
    - {id: start, data: {type: start, title: Start, variables: []}}
    - id: ask
      data:
        type: human-input
        title: Ask
        form_content: 'May I? {{#$output.level#}}'
        inputs:
        - {type: select, output_variable_name: level, option_source: {type: constant, selector: [], value: [low, high]}}
        user_actions:
        - {id: approve, title: Approve, button_style: primary}
        timeout: 3
        timeout_unit: day
    - {id: late, data: {type: template-transform, title: Late, template: hi, variables: []}}
    - {id: end, data: {type: end, title: End, outputs: [{variable: level, value_selector: [ask, level]}]}}
`;

const getSettings = () => vscode.workspace.getConfiguration('agentWorkbench');
const getConnectionEntries = () => getSettings().get<ConnectionEntry[]>('connections') ?? [];
const folder = vscode.workspace.workspaceFolders![0]!.uri;

describe('a Dify server managed by the installed extension', () => {
	let fake: DifyDeployment;
	let signedIn = false;

	/** Executes a command as the palette and the tree do. Resolves with its messages and its result. */
	const runCommand = async (name: string, answers: Answers, ...args: unknown[]): Promise<Shown & { readonly result: unknown }> => {
		let result: unknown;
		const shown = await answerDialogs(
			answers,
			async () => {
				result = await vscode.commands.executeCommand(`agentWorkbench.${name}`, ...args);
			},
			getInstalledApi(),
		);
		assert.deepEqual(shown.errors, []);
		return { ...shown, result };
	};
	const addConnectionAndSignIn = async (signIn: Answers) => {
		await fake.start();
		const waiting = setInterval(() => fake.sessions.logins.at(-1)?.state === 'pending' && fake.sessions.approveLogin(), 20);
		try {
			await runCommand('connection.add', {
				...signIn,
				picks: ['Dify', `${fake.origin}/v1`, 'A whole workspace', ...(signIn.picks ?? [])],
				texts: ['Team', ...(signIn.texts ?? [])],
			});
			signedIn = true;
		} finally {
			clearInterval(waiting);
		}
	};
	/** Resolves with the text of a run's document once it contains these texts. */
	const waitForDocument = async (record: RunRecord, ...texts: string[]): Promise<string> => {
		let text = '';
		for (let n = 0; n < 300 && !texts.every(each => text.includes(each)); n++) {
			await new Promise(resolve => setTimeout(resolve, 100));
			// a new name each time, because open documents are updated lazily
			text = (await vscode.workspace.openTextDocument(getRecordUri(record).with({ path: `/${n}/record.json` }))).getText();
		}
		assert.ok(
			texts.every(each => text.includes(each)),
			text.slice(-5000),
		);
		return text;
	};
	const toAppArgument = ({ id, name, mode }: { id: string; name: string; mode: string }) => ({
		connectionId: 'team',
		app: { id, name, description: '', mode, updatedAt: undefined },
	});
	/**
	 * Asserts that no issued secret is in a log, a setting or a file. Only journals may contain the tokens of forms, which are needed to
	 * answer them.
	 */
	const assertSecretsHidden = async () => {
		const forms = new Set(fake.runs.all.flatMap(run => run.forms.map(form => form.token)));
		const findExposedSecrets = (texts: readonly string[], secrets: readonly string[]) =>
			secrets.filter(secret => texts.some(text => text.includes(secret))).map(secret => secret.slice(0, 8));
		const all = [...fake.secrets];
		const logs = readTexts(path.join(getUserDataFolder(), 'logs'));
		assert.ok(logs.some(text => text.includes('Dify: POST /')));
		assert.deepEqual(findExposedSecrets(logs, all), []);
		const files = [JSON.stringify(getSettings().inspect('connections')), ...readTexts(getUserDataFolder()), ...readTexts(folder.fsPath)];
		assert.deepEqual(
			findExposedSecrets(
				files,
				all.filter(secret => !forms.has(secret)),
			),
			[],
		);
	};

	afterEach(async () => {
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		for (const { id } of signedIn ? getConnectionEntries().toReversed() : []) {
			await runCommand('connection.remove', { button: 'Remove' }, id);
		}
		signedIn = false;
		await getSettings().update('connections', undefined, vscode.ConfigurationTarget.Global);
		await fake.stop();
		assert.deepEqual(fake.errors, []);
	});

	it("runs an app's draft, and shows its nodes in the output and in the run's document", async () => {
		fake = new DifyDeployment({ release: '1.18.0', deviceInterval: 0 });
		await addConnectionAndSignIn({ picks: ['$(globe) Browser'], button: 'Copy code' });
		const app = fake.addApp(createWorkflowFile());
		const { result, placeHolders } = await runCommand('difyApp.runDraft', { picks: ['Greeter'] });
		assert.equal(placeHolders[0], 'Select an app');
		const record = result as RunRecord;
		assert.deepEqual([record.status, record.deploymentDraft], ['succeeded', { app: app.id, mode: 'workflow' }]);
		const text = await waitForDocument(record, '"node_finished"', '"workflow_finished"');
		assert.match(text, /"Model"/);
		await waitUntil('the output channel tells of the node', () =>
			readTexts(getUserDataFolder()).some(each => /Model/.test(each) && /Greeter/.test(each)),
		);
		await assertSecretsHidden();
	});

	it('answers the form of a paused draft, and of a run with a separate key, and exposes no secret', async () => {
		fake = new DifyDeployment({ release: '1.13.3' });
		const { email, password } = fake.account;
		await addConnectionAndSignIn({ picks: ['$(lock) Email and password'], texts: [email, password] });
		const app = fake.addApp(asker);
		app.serviceApi = true;
		fake.publishDraft(app);
		const hasRunSucceeded = ({ id }: { id: string }) => fake.runs.all.find(run => run.id === id)?.status === 'succeeded';

		const draft = (await runCommand('difyApp.runDraft', {}, toAppArgument(app))).result as RunRecord;
		assert.deepEqual([draft.status, draft.forms?.length], ['paused', 1]);
		await runCommand('run.answer', { picks: ['high', 'Approve'] }, draft.key);
		await waitUntil('the draft went on', () => hasRunSucceeded({ id: draft.runId ?? '' }));
		assert.match(await waitForDocument(draft, '"workflow_finished"'), /"level": "high"/);

		await runCommand('difyApp.createKey', {}, toAppArgument(app));
		const [{ token } = { token: '' }] = app.keys;
		assert.match(token, /^app-/);
		assert.deepEqual(
			getConnectionEntries().map(({ name, deployment, app: of }) => [name, deployment, of]),
			[
				['Team', undefined, undefined],
				['Asker', 'team', app.id],
			],
		);

		const file = vscode.Uri.joinPath(folder, 'ask.run.json');
		await vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify({ model: 'Asker', inputs: {}, response_mode: 'streaming' })));
		await runCommand('runFile.chooseConnection', { picks: ['Asker'], texts: ['ana'] }, file);
		const run = (await runCommand('workflow.runFile', {}, file)).result as RunRecord;
		assert.deepEqual([run.status, run.forms?.length, run.deploymentDraft], ['paused', 1, undefined]);
		await runCommand('run.answer', { picks: ['low', 'Approve'] }, run.key);
		await waitUntil('the run went on', () => hasRunSucceeded({ id: run.runId ?? '' }));
		assert.match(await waitForDocument(run, '"workflow_finished"'), /"level": "low"/);
		await vscode.workspace.fs.delete(file);
		await assertSecretsHidden();
	});
});
