import { useWorkbench } from '../driver/session.ts';
import { testAgentFile } from './agentFile.ts';
import { testDailyLoop, testFailedRun } from './dailyLoop.ts';
import { testInputsForm } from './inputsForm.ts';
import { testRunFile } from './runFile.ts';
import { testUsagePage } from './usagePage.ts';

describe('files in an editor', () => {
	const session = useWorkbench();

	describe('a run file', () => testRunFile(session));
	describe('daily tasks', () => testDailyLoop(session));
	describe('an input form', () => testInputsForm(session));
	// after the input form, whose test reloads the window
	describe('a failed run', () => testFailedRun(session));
	describe('an agent file', () => testAgentFile(session));
	describe('the usage page', () => testUsagePage(session));
});
