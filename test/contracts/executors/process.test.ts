import { judgeExecutor } from './suite.ts';

judgeExecutor({ id: 'process' });
