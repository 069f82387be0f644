import assert from 'node:assert/strict';
import { testChatStart } from './chat/chatStart.ts';
import { type RoundTripDeployment, startRoundTripDeployment, testDifyRoundTrip } from './difyRoundTrip.ts';
import { useWorkbench } from './driver/session.ts';
import { testSuiteRun } from './suites/suiteRun.ts';
import { testDebugging } from './workflows/debugging.ts';
import { testFirstRun } from './workflows/firstRun.ts';

// the part of the UI tests that `npm test` runs: what most users do each day, in one window
describe('the main journeys', function () {
	// each test continues from the state that the previous one left
	this.bail(true);
	let deployment: RoundTripDeployment;
	const settings: Record<string, unknown> = {};
	before(async () => {
		deployment = await startRoundTripDeployment();
		Object.assign(settings, deployment.settings);
	});
	const session = useWorkbench({ settings });
	after(async () => {
		await deployment?.fake.stop();
		assert.deepEqual(deployment?.fake.errors, []);
	});

	describe('a run file', () => testFirstRun(session));
	describe('the debugger, by keyboard and mouse', () => testDebugging(session));
	describe('a suite', () => testSuiteRun(session));
	describe('the chat', () => testChatStart(session));
	describe('Dify apps as files', () => testDifyRoundTrip(session, () => deployment));

	// mocha runs tests of a describe() before those of inner ones
	describe('together', () => {
		it('contact only the deployment that the user added, and programs of this window', () => {
			const { programs, foreign } = session.readContacts();
			assert.deepEqual(
				['--type=extensionHost', 'gateway.js', 'page'].filter(name => !programs.includes(name)),
				[],
			);
			assert.deepEqual(foreign, [new URL(deployment.fake.origin).host]);
		});
	});
});
