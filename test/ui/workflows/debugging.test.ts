import { useWorkbench } from '../driver/session.ts';
import { testDebugging } from './debugging.ts';

describe('the debugger', () => {
	const session = useWorkbench();

	describe('of a sample, by keyboard alone', () => testDebugging(session));
});
