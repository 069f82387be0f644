import type { Measure } from '../harness/table.ts';
import { findResultsPage, measureOpening, openResultsWindow } from './resultsWindow.ts';

/** Suites with their number of rows, each of which runs in four variants. `few` is the floor. */
const suites = { few: 10, many: 500 };
const lastCell = '#cell-0-variant-3 .iconText';

/** Measures the time from choosing a suite to the cells of its comparison on the results page, with 2,000 cells over 40. */
export const matrixTable: Measure = {
	name: 'matrix-table',
	measure: 'comparison with 2,000 cells: time to open, over one with 10 rows',
	unit: '×',
	costUnit: 'ms',
	limits: { opens: { most: 1.2 } },
	async run(inRounds) {
		await using closing = new AsyncDisposableStack();
		const agent = './other.yml';
		const variants = [{ name: 'now' }, { name: 'short', agent }, { name: 'long', agent }, { name: 'other', agent }];
		const { workbench } = await openResultsWindow(closing, suites, { variants });
		for (const [name, rows] of Object.entries(suites)) {
			await workbench.openFile(`${name}.suite.json`);
			await workbench.getCodeLens('Compare Variants…').click();
			await workbench.getDialog(`Compare the variants of '${name}'?`).getByRole('button', { name: 'Start' }).click();
			const frame = await findResultsPage(workbench, name);
			await frame.getByText(`${(rows * 4).toLocaleString('en-US')} passed, 0 failed, 0 not run`).waitFor({ timeout: 300_000 });
			await workbench.runCommand('View: Close All Editors');
		}
		return await inRounds({ warmUp: 1, rounds: 3 }, async () => {
			const costs = { few: await measureOpening(workbench, 'few', lastCell), many: await measureOpening(workbench, 'many', lastCell) };
			return { values: { opens: costs.many / costs.few }, costs };
		});
	},
};
