export { gitBranch as default } from './git-branch.ts';
