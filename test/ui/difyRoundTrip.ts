import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { type DifyDeployment, startDifyDeployment } from '../support/services/dify/difyDeployment.ts';
import { createWorkflowFile } from '../support/services/dify/sampleApps.ts';
import type { FakeApp } from '../support/services/dify/state.ts';
import { getRepeatDelay, waitUntil } from '../support/waitUntil.ts';
import { retryUntilPassing, waitBriefly } from './driver/eventually.ts';
import type { Session } from './driver/session.ts';
import type { Tree } from './driver/tree.ts';
import type { Workbench } from './driver/workbench.ts';

const runs = 'Agent Runs';

/** A deployment with two apps, and the settings of a window that connects to it. */
export interface RoundTripDeployment {
	readonly fake: DifyDeployment;
	readonly greeter: FakeApp;
	readonly settings: Readonly<Record<string, unknown>>;
}

export async function startRoundTripDeployment(): Promise<RoundTripDeployment> {
	const fake = await startDifyDeployment({ release: '1.18.0', deviceInterval: 0, plugins: ['langgenius/openai'] });
	const greeter = fake.addApp(createWorkflowFile({ name: 'Greeter' }));
	fake.addApp(createWorkflowFile({ name: 'Weekly summary' }));
	const team = { id: 'team', name: 'Team', kind: 'dify', baseUrl: `${fake.origin}/v1` };
	return { fake, greeter, settings: { 'agentWorkbench.connections': [team] } };
}

/** Defines a user's daily round trip of a Dify app through a file. Each test continues from the state that the previous one left. */
export function testDifyRoundTrip(session: Session, getDeployment: () => RoundTripDeployment): void {
	let fake: DifyDeployment;
	let greeter: FakeApp;
	let workbench: Workbench;
	let agents: Tree;
	const getAppFile = (ending: string) => path.join(workbench.folder, 'agents', `Greeter.${ending}`);
	const waitForDescription = (text: string | RegExp) =>
		retryUntilPassing(async () => {
			const { description } = (await agents.readRows()).find(({ label }) => label === 'Greeter') ?? {};
			assert.match(description ?? '', new RegExp(text));
		});
	/** Returns the model's temperature in the deployment's draft. */
	const getTemperature = () =>
		(greeter.draft?.graph.nodes[1]?.data as { model?: { completion_params?: unknown } } | undefined)?.model?.completion_params;
	const replaceInFile = (from: string, to: string) => {
		const text = fs.readFileSync(getAppFile('yml'), 'utf8');
		assert.ok(text.includes(from));
		fs.writeFileSync(getAppFile('yml'), text.replace(from, to));
	};
	const waitForNotification = (text: string) => workbench.getNotification(text).first().waitFor();
	/** Runs a palette command by keyboard only. Enter runs the focused row, however the list is updated meanwhile. */
	const runCommandByKeyboard = (title: string) =>
		waitUntil(`the command “${title}” marked in the palette`, async tries => {
			const { page, quickInput } = workbench;
			await page.keyboard.press(tries === 0 ? 'F1' : 'Escape');
			if (tries > 0) {
				await page.keyboard.press('F1');
			}
			await quickInput.box.fill(`>Agent Workbench Dify: ${title}`, { timeout: getRepeatDelay(tries) }).catch(() => undefined);
			const marked = quickInput.widget
				.locator('.monaco-list-row.focused .label-name')
				.getByText(`Agent Workbench Dify: ${title}`, { exact: true });
			const isThere = await waitBriefly(marked, getRepeatDelay(tries));
			if (isThere) {
				await quickInput.pressKey('Enter');
			}
			return isThere;
		});
	const confirmDialog = async (text: string, action: string) => {
		const dialog = workbench.getDialog(text);
		await dialog.getByRole('button', { name: action, exact: true }).click();
		await dialog.waitFor({ state: 'hidden' });
	};

	before(async () => {
		({ fake, greeter } = getDeployment());
		({ workbench } = session);
		agents = workbench.getTree('Agents');
		// VS Code shows only a few notifications at once
		await workbench.runCommand('Notifications: Clear All Notifications');
	});

	it('signs in with a code confirmed in the browser, and shows the apps', async () => {
		await workbench.showContainer('Agent Workbench');
		// the built-in gateway also lists the app's file
		await agents.collapseRow('Built-in gateway');
		await agents.expandRows('Team');
		await agents.chooseInContextMenu('Team', 'Sign In…');
		await workbench.quickInput.pickOption('Browser');
		const [login] = await waitUntil('a login that waits', () => (fake.sessions.logins.length > 0 ? fake.sessions.logins : undefined));
		assert.ok(login);
		await confirmDialog(login.userCode, 'Copy code');
		fake.sessions.approveLogin(login);
		await agents.getRow('Weekly summary').waitFor();
		await waitForDescription(/^workflow$/);
	});

	it('pulls an app by mouse, shows that it differs, pushes and publishes it', async () => {
		await agents.chooseInContextMenu('Greeter', 'Pull App…');
		await workbench.quickInput.widget.getByText('Name of the agent').waitFor();
		await workbench.quickInput.enterText('Greeter');
		await workbench.page.locator('.editor-group-container.active .monaco-editor[data-uri$="/Greeter.yml"]').waitFor();
		await waitForDescription(/^linked · workflow$/);
		replaceInFile('temperature: 1.0', 'temperature: 0.3');
		await waitForDescription(/^1 node differs/);
		await agents.chooseInContextMenu('Greeter', 'Compare with Dify');
		await workbench.page.locator('.monaco-diff-editor').waitFor();
		await waitForNotification('has changed locally. The app in Dify');
		// after a pull there is no prompt for the target
		await agents.chooseInContextMenu('Greeter', 'Push App');
		await waitForNotification("Pushed 'agents/Greeter.yml' to Dify");
		assert.deepEqual(getTemperature(), { temperature: 0.3 });
		await waitForDescription(/^linked · workflow$/);
		await agents.chooseInContextMenu('Greeter', 'Publish App…');
		await workbench.quickInput.widget.getByText('Version name').waitFor();
		await workbench.quickInput.enterText('Cooler');
		await workbench.quickInput.widget.getByText('Release notes').waitFor();
		await workbench.quickInput.enterText('');
		await confirmDialog("Publish the draft of 'Greeter'", 'Publish');
		await waitForNotification("Published 'Greeter'");
		assert.equal(greeter.versions.length, 1);
	});

	it("runs Dify's draft, with each node in the output channel", async () => {
		await agents.chooseInContextMenu('Greeter', 'Run Draft in Dify');
		await workbench.output.waitForText(runs, /✔ start[\s\S]*✔ llm[\s\S]*✔ end[\s\S]*■ succeeded/);
	});

	it('does the same by keyboard', async () => {
		await workbench.closeEditors();
		await workbench.openFile('Greeter.yml');
		replaceInFile('temperature: 0.3', 'temperature: 0.4');
		await waitForDescription(/^1 node differs/);
		await runCommandByKeyboard('Compare with Dify');
		await workbench.page.locator('.monaco-diff-editor').waitFor();
		await workbench.openFile('Greeter.yml');
		await runCommandByKeyboard('Push App');
		await waitUntil('the draft there', () => JSON.stringify(getTemperature()) === '{"temperature":0.4}');
		await waitForDescription(/^linked · workflow$/);
		fake.editDraft(greeter, draft => {
			draft.graph.nodes[1]!.data.title = 'Greets';
		});
		await runCommandByKeyboard('Pull App…');
		await waitUntil('the file', () => fs.readFileSync(getAppFile('yml'), 'utf8').includes('title: Greets'));
	});

	it('merges a file and its app that both changed, in the merge editor', async () => {
		await workbench.openFile('Greeter.yml');
		replaceInFile('temperature: 0.4', 'temperature: 0.5');
		fake.editDraft(greeter, draft => {
			draft.graph.nodes[1]!.data.title = 'Welcomes';
		});
		await runCommandByKeyboard('Push App');
		await workbench.quickInput.pickOption('Merge…');
		await workbench.page.locator('.merge-editor').waitFor();
		await workbench.takeScreenshot('dify-merge');
		await workbench.runCommand('Merge Editor: Complete Merge');
		await waitForNotification("Merged the changes in Dify into 'agents/Greeter.yml'");
		assert.match(
			fs.readFileSync(getAppFile('yml'), 'utf8'),
			/title: Welcomes[\s\S]*temperature: 0\.5|temperature: 0\.5[\s\S]*title: Welcomes/,
		);
		await workbench.getNotification('Merged the changes').first().getByRole('button', { name: 'Push…' }).click();
		await waitUntil('the draft there', () => JSON.stringify(getTemperature()) === '{"temperature":0.5}');
		assert.equal(greeter.draft?.graph.nodes[1]?.data.title, 'Welcomes');
	});
}
