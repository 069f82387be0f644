import fs from 'node:fs';
import path from 'node:path';
import { useWorkbench } from './driver/session.ts';

/** An agent that works for some seconds. */
const slow = `version: "0.6.0"
kind: app
app: { name: slow, mode: workflow }
workflow:
  graph:
    nodes:
      - { id: start, type: custom, data: { type: start, title: Start, variables: [] } }
      - id: work
        type: custom
        data:
          type: iteration
          title: Work
          start_node_id: workstart
          iterator_selector: [list, result]
          output_selector: [spin, result]
          output_type: array[number]
          is_parallel: false
          error_handle_mode: terminated
      - { id: workstart, type: custom-iteration-start, parentId: work, data: { type: iteration-start, isInIteration: true } }
      - id: list
        type: custom
        data:
          type: code
          title: List
          code_language: javascript
          variables: []
          outputs: { result: { type: "array[number]" } }
          code: "function main() { return { result: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }; }"
      - id: spin
        type: custom
        parentId: work
        data:
          type: code
          title: Spin
          isInIteration: true
          iteration_id: work
          code_language: javascript
          variables: []
          outputs: { result: { type: number } }
          code: "function main() { const end = Date.now() + 1000; while (Date.now() < end) {} return { result: 1 }; }"
      - { id: end, type: custom, data: { type: end, title: End, outputs: [{ variable: result, value_selector: [work, output] }] } }
    edges:
      - { id: a, source: start, target: list, sourceHandle: source, targetHandle: target }
      - { id: b, source: list, target: work, sourceHandle: source, targetHandle: target }
      - { id: c, source: work, target: end, sourceHandle: source, targetHandle: target }
      - { id: d, source: workstart, target: spin, sourceHandle: source, targetHandle: target }
`;

describe('a reload while a run goes on', () => {
	const session = useWorkbench();

	it('shows the run again, live, with its end', async function () {
		this.timeout(120_000);
		const { workbench } = session;
		fs.writeFileSync(path.join(workbench.folder, 'agents', 'slow.yml'), slow);
		fs.writeFileSync(path.join(workbench.folder, 'runs', 'slow.run.json'), JSON.stringify({ model: 'slow', inputs: {} }));
		await workbench.showContainer('Agent Workbench');
		const agents = workbench.tree('Agents');
		await agents.expand('Built-in gateway', 'slow', 'Inputs');
		await agents.expand('Runs');
		await agents.action('slow.run.json', 'Run');
		const run = agents.root.locator('.monaco-list-row[aria-label*="running"]').last();
		await run
			.filter({ hasText: 'Work' })
			.or(run.filter({ hasText: 'Spin' }))
			.or(run.filter({ hasText: 'List' }))
			.waitFor();
		await workbench.page.reload();
		await workbench.ready();
		await agents.row('Built-in gateway').waitFor();
		await agents.expand('Built-in gateway', 'slow', 'Runs');
		await agents.root.locator('.monaco-list-row[aria-level="4"][aria-label*="running"]').first().waitFor();
		await workbench.page.locator('.part.activitybar .badge-content').filter({ hasText: '1' }).first().waitFor();
		await workbench.screenshot('explorer-reload');
		await agents.root.locator('.monaco-list-row[aria-level="4"][aria-label*="succeeded"]').first().waitFor({ timeout: 30_000 });
	});
});
