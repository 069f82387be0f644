import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { InputForms } from '#editor/runs/inputs/inputForms.ts';
import type { InputRuns } from '#editor/runs/inputs/inputRuns.ts';
import { InputsPanel } from '#editor/runs/inputs/inputsPanel.ts';
import type { FromInputsHost, InputsForm, InputsTarget } from '#pages/inputs/inputsMessages.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { RecordedLog } from '../../../../support/editor/connectionsUnderTest.ts';

const target: InputsTarget = { connectionId: 'c1', agent: 'asks', agentFile: 'file:///work/asks.yml' };
const given = { values: {}, files: {} };

/** Opens a form for inputs with a simulated host. The test acts as the page. */
function openPanel(inputs: Partial<Pick<InputRuns, 'createForm' | 'runForm' | 'saveForm'>>) {
	const messages: FromInputsHost[] = [];
	const received = new vscode.EventEmitter<unknown>();
	const changed = new vscode.EventEmitter<RunRecord>();
	const records = new Map<string, RunRecord>();
	const log = new RecordedLog();
	const webviewPanel = {
		visible: true,
		webview: {
			onDidReceiveMessage: received.event,
			postMessage: async (message: FromInputsHost) => messages.push(structuredClone(message)),
		},
		onDidChangeViewState: () => ({ dispose() {} }),
	} as unknown as vscode.WebviewPanel;
	const runs = { get: (key: string) => records.get(key), onDidChange: changed.event } as unknown as Runs;
	const panel = new InputsPanel(webviewPanel, target, { inputs: inputs as InputRuns, runs, log: log.channel });
	const reportStatus = (key: string, status: string) => {
		const record = { key, status, agent: 'asks' } as RunRecord;
		records.set(key, record);
		changed.fire(record);
	};
	return {
		messages,
		panel,
		tell: reportStatus,
		send: (message: object) => received.fire(message),
		settled: () => new Promise(setImmediate),
	};
}

describe('the host side of an input form', () => {
	it("reports an invalid message, so that the page doesn't wait for a run", async () => {
		const { messages, send, panel } = openPanel({});
		send({ type: 'run', given: { values: { ['x'.repeat(2000)]: 1 }, files: {} } });
		assert.equal(messages[0]?.type, 'problem');
		panel.dispose();
	});

	it("reports why a run file couldn't be saved, and keeps the form", async () => {
		const failForSpace = async () => {
			throw new Error('ENOSPC: no space left on device, write');
		};
		const { messages, send, panel, settled } = openPanel({ saveForm: failForSpace });
		send({ type: 'save', given });
		await settled();
		assert.deepEqual(messages, [{ type: 'problem', problem: 'ENOSPC: no space left on device, write' }]);
		panel.dispose();
	});

	it('shows the newer of two forms that are read concurrently', async () => {
		const answers: ((form: InputsForm) => void)[] = [];
		const waitForForm = () => new Promise<InputsForm>(resolve => answers.push(resolve));
		const { messages, send, panel, settled } = openPanel({ createForm: waitForForm });
		send({ type: 'ready' });
		send({ type: 'ready' });
		const createReadForm = (description: string) => ({ target, where: '', description, fields: [], last: {} });
		answers[1]?.(createReadForm('newer'));
		await settled();
		answers[0]?.(createReadForm('older'));
		await settled();
		assert.deepEqual(
			messages.map(message => message.type === 'form' && message.form.description),
			['newer'],
		);
		panel.dispose();
	});

	it("follows the later of two runs, and sends nothing after it's closed", async () => {
		const ends: ((record: RunRecord) => void)[] = [];
		const startRun: InputRuns['runForm'] = (_target, _fields, _given, started) => {
			started(`k${ends.length}`);
			return new Promise(resolve => ends.push(resolve));
		};
		const { messages, send, panel, settled, tell } = openPanel({ runForm: startRun });
		tell('k0', 'starting');
		tell('k1', 'starting');
		send({ type: 'run', given });
		send({ type: 'run', given });
		await settled();
		tell('k0', 'failed');
		tell('k1', 'running');
		const reported = messages.flatMap(message => (message.type === 'run' ? [[message.key, message.text]] : []));
		assert.deepEqual(reported, [
			['k0', 'starting'],
			['k1', 'starting'],
			['k1', 'running'],
		]);
		panel.dispose();
		const { length } = messages;
		tell('k1', 'succeeded');
		ends[1]?.({ key: 'k1', status: 'succeeded' } as RunRecord);
		await settled();
		assert.equal(messages.length, length);
	});

	it('closes a restored panel that has no target', () => {
		const forms = new InputForms(vscode.Uri.file('/'), {} as never, new RecordedLog().channel);
		for (const state of [undefined, null, 5, {}, { target: { connectionId: 1, agent: 'a' } }, { target: null }]) {
			let isClosed = false;
			forms.restorePanel({ dispose: () => (isClosed = true) } as unknown as vscode.WebviewPanel, state);
			assert.ok(isClosed, JSON.stringify(state));
		}
	});
});
