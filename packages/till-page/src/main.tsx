import '@laurel/page-kit/styles/base.css';
