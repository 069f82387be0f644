import assert from 'node:assert/strict';
import { carryOutPush } from '#dify/carryOutPush.ts';
import { planPull } from '#dify/pullPlan.ts';
import { planPush } from '#dify/pushPlan.ts';
import type { Backups } from '#dify/syncTypes.ts';
import { createAppPackage } from '../../support/services/dify/appPackage.ts';
import { createAgentText, createPasswordSession, manageDeployment, stopDeployments } from './managed.ts';

const site = { title: 'Hello', default_language: 'en-US', show_workflow_steps: true };
const backups = { saveBackup: async () => ({}) } as unknown as Backups;

describe('a Dify deployment from 1.18 to 1.20', () => {
	afterEach(stopDeployments);

	it('requests YAML from its console', async () => {
		const { fake, open } = await manageDeployment({ release: '1.20.0' });
		const management = open(await createPasswordSession(fake));
		const app = fake.addApp(createAgentText());
		assert.match((await management.exportApp(app.id)).text, /^app:\n/);
		assert.equal(fake.requests.find(({ path }) => path.endsWith('/export'))?.query['format'], 'yaml');
	});

	it('returns the app inside a package that it sends anyway', async () => {
		const { fake, open } = await manageDeployment({ release: '1.20.0' });
		const management = open(await createPasswordSession(fake));
		fake.sendsPackages = true;
		const app = fake.addApp(createAgentText());
		const { text, draftHash } = await management.exportApp(app.id);
		assert.match(text, /name: Hello/);
		assert.equal(typeof draftHash, 'string');
		fake.packageOf = file => createAppPackage(file, 'format: dify.roster-agent');
		await assert.rejects(management.exportApp(app.id), {
			reason: 'protocol',
			code: 'bad_app_package',
			message: /'dify\.roster-agent' instead of 'dify\.app'\. Export the app as YAML/,
		});
	});

	it('shows its warnings and hints', async () => {
		const { fake, management } = await manageDeployment({ release: '1.20.0' });
		const app = fake.addApp(createAgentText());
		fake.importWarnings.push({ code: 'agent_skill_missing', path: 'agents.a1', message: 'Skill "search" is missing', details: {} });
		const { link, there } = await planPull({ management, appId: app.id });
		const plan = await planPush({ management, link, text: there.text.replace('title: End', 'title: Finish') });
		const pushed = await carryOutPush(plan, { management, backups });
		assert.equal(pushed.kind === 'done' ? pushed.warning : pushed.kind, 'agents.a1: Skill "search" is missing');

		const refused = await management.importApp({ text: createAgentText({ edgeTo: 'nowhere' }), appId: app.id });
		assert.deepEqual(
			refused.details.map(({ path }) => path),
			['workflow.graph.edges.0.target', ''],
		);
		assert.equal(refused.details.at(-1)?.message, 'Check the DSL again after each change');
	});

	it('announces in the plan that an import changes the live web app', async () => {
		const { fake, management } = await manageDeployment({ release: '1.20.0' });
		const app = fake.addApp(createAgentText());
		app.siteSettings = site;
		const { link, there } = await planPull({ management, appId: app.id });
		const plan = await planPush({ management, link, text: there.text.replace('title: Hello', 'title: Good day') });
		const effect = plan.effects.find(({ kind }) => kind === 'site');
		assert.deepEqual([effect?.severity, effect?.names], ['warning', ['title']]);
		assert.equal((await carryOutPush(plan, { management, backups })).kind, 'done');
		assert.equal(app.siteSettings?.['title'], 'Good day');
		const without = await planPush({ management, link, text: there.text.replace(/^site:\n( .*\n)+/m, '') });
		assert.equal(
			without.effects.some(({ kind }) => kind === 'site'),
			false,
		);
	});
});

describe('a file with features of a later Dify release', () => {
	afterEach(stopDeployments);

	const addNewerFeatures = (text: string) =>
		`${text.replace('type: start,', 'type: start, agent_job: {output_routes: {enabled: true}},')}site: {title: Hello}\n`;
	const listReportedProblems = async (release: string) => {
		const { fake, management } = await manageDeployment({ release });
		const app = fake.addApp(createAgentText());
		const { link } = await planPull({ management, appId: app.id });
		const plan = await planPush({ management, link, text: addNewerFeatures(createAgentText()) });
		return plan.effects.find(({ kind }) => kind === 'newer-fields')?.names;
	};

	it('is reported before it is pushed to an older release', async () => {
		assert.deepEqual(await listReportedProblems('1.16.0'), ['site (1.18)', 'Start: output_routes (1.18)']);
		assert.deepEqual(await listReportedProblems('1.14.2'), ['site (1.18)', 'Start: output_routes (1.18)']);
	});

	it("isn't reported for a release with these features", async () => {
		assert.equal(await listReportedProblems('1.18.0'), undefined);
	});
});
