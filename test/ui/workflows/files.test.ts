import { useWorkbench } from '../driver/session.ts';
import { testAgentFile } from './agentFile.ts';
import { testDailyLoop } from './dailyLoop.ts';
import { testInputsForm } from './inputsForm.ts';
import { testRunFile } from './runFile.ts';
import { testUsagePage } from './usagePage.ts';

describe('in an editor', () => {
	const session = useWorkbench();

	describe('a run file', () => testRunFile(session));
	describe('each day', () => testDailyLoop(session));
	describe('a form for inputs', () => testInputsForm(session));
	describe('an agent file', () => testAgentFile(session));
	describe('what models were asked', () => testUsagePage(session));
});
